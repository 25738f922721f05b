"""What a suite of worlds is: worlds of one origin, made from starts, and what is recorded of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from benchloom.storage.inputs import SourceObject
from benchloom.worlds.task import Candidate
from benchloom.worlds.world import World


class Difference(msgspec.Struct, frozen=True):
    """A recorded call that gives something else here: which one, why, and both results as JSON.

    `reason` is one word of a list that the suite's documentation explains.
    """

    place: str
    tool: str
    reason: str
    recorded: str
    found: str


class Replay(msgspec.Struct, frozen=True):
    """What came of recorded dialogues; `calls` are those that can be replayed, `excluded` not.

    `reasons` counts the differences, and what was excluded, by reason.
    """

    dialogues: int
    dialogues_equal: int
    calls: int
    calls_equal: int
    excluded: int
    reasons: Mapping[str, int]
    differences: tuple[Difference, ...] = ()


class Loaded(msgspec.Struct, frozen=True):
    """What a suite has read of a user's copy: a start by name, and faults of files by place."""

    starts: Mapping[str, str]
    rejected: Mapping[str, str] = {}


Load: TypeAlias = Callable[[Sequence[SourceObject]], Loaded]
Replayed: TypeAlias = Callable[[Sequence[SourceObject]], Iterator[Replay]]
Candidates: TypeAlias = Callable[[Sequence[SourceObject], int], Iterator[Candidate]]
"""What may become tasks, from files and a seed; whoever draws them may do so without end."""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """Worlds of one origin.

    Args:
        about: one sentence for whoever chooses.
        world: the world of a start; a start is JSON, what it holds is the suite's own matter, and
            equal starts make equal worlds. Raises `RunError` where it is none of the suite's.
        load: reads what a suite needs from the files of a user's copy; none where it needs none.
        replay: runs the dialogues recorded in a user's files, a `Replay` for each file.
        candidates: what may become tasks: of the dialogues in a user's files, or drawn by a seed.
    """

    about: str
    world: Callable[[str], World]
    load: Load | None = None
    replay: Replayed | None = None
    candidates: Candidates | None = None
