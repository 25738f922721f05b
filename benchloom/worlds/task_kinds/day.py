"""The kind of long tasks, which have 10 to 20 calls; most changes share a thing or a day."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.storage.inputs import SourceObject
from benchloom.worlds.requests.combinations import DAY, Shape
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate, PlannedCall
from benchloom.worlds.task_kinds.base import TaskKind, drawn
from benchloom.worlds.world import World

_ERRANDS = Shape(goals=(5, 10), calls=(10, 20), near=9, same_thing=8, same_day=7)


def candidates(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    """Draw an endless series of long candidates, in which most changes share a thing or a day."""
    del files
    for candidate in drawn(name, suite, seed, _ERRANDS):
        if _shares(candidate, suite.world(candidate.start)):
            yield msgspec.structs.replace(candidate, kind="day")


def _shares(candidate: Candidate, world: World) -> bool:
    """Whether most of the calls that change data share a thing or a day with another such call.

    Otherwise the calls would be a list of unrelated errands instead of one long task.
    """
    writes = [call for call in candidate.calls if not world.tools[call.tool].reads]
    values = [set(_things(call)) for call in writes]
    counts = Counter(value for things in values for value in things)
    shared = sum(any(counts[value] > 1 for value in things) for things in values)
    return 2 * shared > len(writes)


def _things(call: PlannedCall) -> Iterator[str]:
    for name, value in call.arguments.items():
        day = DAY.match(str(value))
        if day is not None:
            yield day[0]
        elif name.endswith("_id"):
            yield str(value)


KIND = TaskKind(about="A day's errands, which take 10 to 20 calls.", candidates=candidates)
