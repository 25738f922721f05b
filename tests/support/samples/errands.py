"""Proved tasks of the everyday world with one or two turns, and a final state or an answer."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from benchloom.worlds.proofs import OpenWorlds, prove, row_of
from benchloom.worlds.task import Candidate, PlannedCall, RequestedAnswer, Task


@cache
def errands() -> tuple[Task, ...]:
    """Return the three proved tasks."""
    candidates = (
        _candidate(
            "one turn",
            ("Please wake me at 07:05 for the market.",),
            PlannedCall("alarms.create_alarm", {"time": "07:05", "label": "market"}),
        ),
        _candidate(
            "two turns",
            ("Please set an alarm.", "At 05:20, and a second one at 05:40."),
            PlannedCall("alarms.create_alarm", {"time": "05:20"}),
            PlannedCall("alarms.create_alarm", {"time": "05:40"}),
        ),
        _candidate(
            "an answer",
            ("When does my next alarm ring?",),
            PlannedCall("alarms.next_alarm", {}),
            asked=RequestedAnswer(0, ("time",)),
        ),
    )
    open_worlds = OpenWorlds()
    tasks = tuple(prove(candidate, open_worlds, distractors=3) for candidate in candidates)
    open_worlds.close()
    return tasks


def next_alarm() -> str:
    """Return the answer to the last task: the time of the next alarm."""
    return msgspec.json.decode(errands()[-1].answer or "", type=str)


def write_tasks(path: Path, tasks: Sequence[Task] = ()) -> Path:
    """Write tasks as JSON lines, by default the errands, and return the path."""
    rows = [msgspec.json.encode(row_of(task)) for task in tasks or errands()]
    path.write_bytes(b"".join(row + b"\n" for row in rows))
    return path


def _candidate(
    source_id: str,
    turns: tuple[str, ...],
    *calls: PlannedCall,
    asked: RequestedAnswer | None = None,
) -> Candidate:
    return Candidate(
        suite="everyday",
        start="{}",
        turns=turns,
        calls=calls,
        asked=asked,
        source="errands",
        source_id=source_id,
        split="test",
    )
