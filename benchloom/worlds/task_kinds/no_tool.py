"""The kind of tasks that no offered tool can fulfil, so that the agent must decline."""

from collections.abc import Iterator, Sequence

import msgspec

from benchloom.storage.inputs import SourceObject
from benchloom.worlds.requests.combinations import ONE_GOAL
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate
from benchloom.worlds.task_kinds.base import TaskKind, drawn


def candidates(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    """Draw an endless series of requests for a change whose tool is not offered to the agent."""
    del files
    for candidate in drawn(name, suite, seed, ONE_GOAL):
        yield msgspec.structs.replace(
            candidate, kind="no-tool", calls=(), forbidden=candidate.calls
        )


KIND = TaskKind(
    about="No offered tool can fulfil the request; the agent must decline.", candidates=candidates
)
