"""A suite is a set of worlds of the same origin, with initial states and recorded dialogues."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import SourceObject
from benchloom.storage.inputs.json_nesting import MAX_DEPTH, may_nest_deeper
from benchloom.storage.tables import is_part, records_in
from benchloom.worlds.requests.wants import Requests
from benchloom.worlds.task import Candidate
from benchloom.worlds.world import World

R = TypeVar("R", bound=msgspec.Struct)
LONGEST_START = 16 * 1024 * 1024
"""The maximum length of the JSON of an initial state, in characters."""


def decode_start(text: str, decoder: "msgspec.json.Decoder[R]", world: str) -> R:
    """Decode the JSON of a world's initial state; raise `RunError` if it is invalid."""
    if len(text) > LONGEST_START:
        raise RunError(
            f"the initial state has {len(text)} characters; the maximum is {LONGEST_START}"
        )
    try:
        content = text.encode()
        if may_nest_deeper(content, MAX_DEPTH):
            raise RunError(f"not an initial state of {world}: the JSON is nested too deeply")
        return decoder.decode(content)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        fault = " ".join(str(error).split())[:200]
        raise RunError(f"not an initial state of {world}: {fault}") from error


def records_of(files: Iterable[SourceObject], table: str, record: type[R]) -> Iterator[R]:
    """Yield the rows of a table in the files; skip files without the table.

    Raises:
        RunError: a file of the table is damaged.
    """
    for file in files:
        if not is_part(file.source_uri, table):
            continue
        try:
            data = file.read()
        except RejectedInputError as error:
            raise RunError(f"{file.source_uri}: {error}") from error
        yield from records_in(Path(file.source_uri), table, record, data=data)


class Difference(msgspec.Struct, frozen=True):
    """A recorded call whose result differs in the replay, or a damaged line of a user's file.

    `place` is the location in the file. `recorded` and `found` are the results in the recording and
    in the replay, as JSON. The documentation of the suite explains each `reason`.
    """

    place: str
    tool: str
    reason: str
    recorded: str
    found: str


class Replay(msgspec.Struct, frozen=True):
    """The result of replaying recorded dialogues: counts of equal results, and the differences.

    `calls` counts the calls that can be replayed, and `excluded` the calls that cannot. `reasons`
    maps each reason for a difference or an exclusion to its count.
    """

    dialogues: int
    dialogues_equal: int
    calls: int
    calls_equal: int
    excluded: int
    reasons: Mapping[str, int]
    differences: tuple[Difference, ...] = ()


class Loaded(msgspec.Struct, frozen=True):
    """The initial states that a suite read from a user's files, and the faults of the files."""

    starts: Mapping[str, str]
    rejected: Mapping[str, str] = {}


Load: TypeAlias = Callable[[Sequence[SourceObject]], Loaded]
Replayed: TypeAlias = Callable[[Sequence[SourceObject]], Iterator[Replay]]
Candidates: TypeAlias = Callable[[Sequence[SourceObject], int], Iterator[Candidate]]
"""A function that makes candidates for tasks from files and a seed; the iterator may be endless."""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """A set of worlds of the same origin, with functions that build worlds and tasks.

    Args:
        about: a sentence that describes the suite to users.
        world: builds the world from a start, which is the JSON of an initial state in a format of
            the suite; equal starts give equal worlds. It raises `RunError` for any other text.
        load: reads the starts from a user's files; None if the suite needs no files.
        replay: replays the recorded dialogues in a user's files; yields a `Replay` per file.
        candidates: yields candidates for tasks, from a user's files or drawn by a seed.
        requests: returns the requests from which candidates in the world of `start` are drawn.
        kind: the kind of the tasks from `candidates`.
        start: the only start of a suite whose candidates are drawn from requests.
        table: the table to which a user's files are converted before the suite reads them; "" if
            the suite reads the files themselves, or no files.
        source: the key under `[sources]` of a rebuild's configuration that names the user's files,
            or "" if there is no such key.
    """

    about: str
    world: Callable[[str], World]
    load: Load | None = None
    replay: Replayed | None = None
    candidates: Candidates | None = None
    requests: Callable[[], Sequence[Requests]] | None = None
    kind: str = "request"
    start: str = ""
    table: str = ""
    source: str = ""
