"""A suite of worlds: worlds of one origin, built from starts, with recorded dialogues."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import SourceObject
from benchloom.storage.inputs.json_nesting import MAX_DEPTH, may_nest_deeper
from benchloom.storage.tables import is_part, records_in
from benchloom.worlds.asking.wants import Requests
from benchloom.worlds.task import Candidate
from benchloom.worlds.world import World

R = TypeVar("R", bound=msgspec.Struct)
LONGEST_START = 16 * 1024 * 1024
"""Characters of a start."""


def decode_start(text: str, decoder: "msgspec.json.Decoder[R]", world: str) -> R:
    """Decode the JSON of a start of a world; raise `RunError` for other texts."""
    if len(text) > LONGEST_START:
        raise RunError(f"the start has {len(text)} characters; the maximum is {LONGEST_START}")
    try:
        content = text.encode()
        if may_nest_deeper(content, MAX_DEPTH):
            raise RunError(f"not a start of {world}: nested too deeply")
        return decoder.decode(content)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        fault = " ".join(str(error).split())[:200]
        raise RunError(f"not a start of {world}: {fault}") from error


def records_of(files: Iterable[SourceObject], table: str, record: type[R]) -> Iterator[R]:
    """Yield the rows of a table found in the files; other files are skipped.

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
    """A recorded call whose result differs in the replay: call, reason, both results as JSON.

    `reason` is one word of a list that the suite's documentation explains.
    """

    place: str
    tool: str
    reason: str
    recorded: str
    found: str


class Replay(msgspec.Struct, frozen=True):
    """The result of replaying dialogues: `calls` can be replayed, `excluded` cannot.

    `reasons` counts the differences and the exclusions by reason.
    """

    dialogues: int
    dialogues_equal: int
    calls: int
    calls_equal: int
    excluded: int
    reasons: Mapping[str, int]
    differences: tuple[Difference, ...] = ()


class Loaded(msgspec.Struct, frozen=True):
    """The data that a suite read from a user's copy: starts by name, faults by location."""

    starts: Mapping[str, str]
    rejected: Mapping[str, str] = {}


Load: TypeAlias = Callable[[Sequence[SourceObject]], Loaded]
Replayed: TypeAlias = Callable[[Sequence[SourceObject]], Iterator[Replay]]
Candidates: TypeAlias = Callable[[Sequence[SourceObject], int], Iterator[Candidate]]
"""Yields candidates for tasks, from files and a seed; the iterator may never end."""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """Worlds of one origin.

    Args:
        about: one sentence that helps users to choose.
        world: builds the world of a start; a start is JSON in the suite's own format, and equal
            starts make equal worlds. Raises `RunError` for a start of another suite.
        load: reads what a suite needs from the files of a user's copy; None if it needs
            nothing.
        replay: replays the dialogues recorded in a user's files; yields a `Replay` per file.
        candidates: makes possible tasks, from a user's files or drawn by a seed.
        requests: what can be asked for in the world of `start`, of a suite that draws requests.
        kind: the kind of tasks that `candidates` makes.
        start: the only start of that suite.
        table: the table that a user's files are converted to before the suite reads them; empty
            if it reads the files themselves, or none.
        source: the key of `[sources]` in the configuration of a rebuild that names these files;
            empty if none does.
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
