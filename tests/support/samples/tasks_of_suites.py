"""Proved tasks of every suite, made from our own samples."""

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.suites.api_bank.candidates import candidates
from benchloom.worlds.suites.sgd.start import written
from benchloom.worlds.task import Candidate, PlannedCall, Rule, Task
from benchloom.worlds.user.dialogue import dialogue_of
from tests.benchloom.worlds.suites.api_bank.sample import (
    ADA,
    TOKEN,
    copy_of,
    dialogue_turn,
    lines,
    recorded_call,
)
from tests.benchloom.worlds.suites.sgd.test_worlds import START
from tests.support.samples.errands import errands

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain


@cache
def tasks_of_suites() -> tuple[Task, ...]:
    """Return tasks of the everyday world, of API-Bank and of services."""
    with closing(OpenWorlds()) as open_worlds:
        return (
            *errands(),
            *(prove(candidate, open_worlds, distractors=3) for candidate in _candidates()),
            dialogue_of(prove(_ALARM, open_worlds, distractors=3), open_worlds),
            *(
                prove(candidate, open_worlds, distractors=3)
                for candidate in alarm_tasks_with_rules()
            ),
        )


_ALARM = Candidate(
    suite="everyday",
    start="{}",
    turns=("Please wake me at 07:05 for the market.",),
    calls=(PlannedCall("alarms.create_alarm", {"time": "07:05", "label": "market"}),),
    source="everyday",
    source_id="alarm",
)
"""The task that becomes a dialogue, whose user states time and label when asked."""


def alarm_tasks_with_rules() -> tuple[Candidate, Candidate]:
    """Return the alarm task with a rule that forbids it and with a rule that allows it."""
    forbidding, allowing = (
        Rule(
            text=f"Alarms that you set may ring only between {first} and {last}.",
            tool="alarms.create_alarm",
            argument="time",
            test="between",
            value=[first, last],
        )
        for first, last in (("08:00", "20:00"), ("06:00", "20:00"))
    )
    declined = msgspec.structs.replace(
        _ALARM, policy=(forbidding,), forbidden=_ALARM.calls, calls=(), source_id="no alarm"
    )
    return declined, msgspec.structs.replace(_ALARM, policy=(allowing,), source_id="an alarm")


def _candidates() -> Iterator[Candidate]:
    deletion_arguments: dict[str, Plain] = {
        "token": TOKEN,
        "content": "Water",
        "time": "2023-04-01 07:00:00",
    }
    dialogue_lines = lines(
        dialogue_turn("I am ada, my password is plum-7; drop my reminder to Water."),
        recorded_call("GetUserToken", ADA, {"token": TOKEN}),
        dialogue_turn("It rings at 2023-04-01 07:00:00."),
        recorded_call("DeleteReminder", deletion_arguments, "success"),
    )
    yield from candidates(copy_of({"one.jsonl": dialogue_lines}), 0)
    yield Candidate(
        suite="sgd",
        start=written(START),
        turns=("Find me a large boat in Nord.", "Please rent Boat 7 for 3 hours."),
        calls=(
            PlannedCall("Boats_1.FindBoat", {"harbour": "Nord", "size": "large"}),
            PlannedCall("Boats_1.RentBoat", {"name": "Boat 7", "hours": "3"}),
        ),
        source="boats",
        source_id="1",
    )
