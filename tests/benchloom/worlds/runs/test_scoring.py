"""Scores of a run: state, answer, other changes and refusals, each apart."""

import msgspec
import pytest

from benchloom.worlds import Session
from benchloom.worlds.everyday import everyday
from benchloom.worlds.runs.scoring import AgentRun, RunCall, Score, score_of
from benchloom.worlds.task import Task
from tests.support.samples.errands import errands, next_alarm

OTHER = RunCall("alarms.create_alarm", {"time": "03:03"})


def gold(task: Task) -> tuple[RunCall, ...]:
    return tuple(RunCall(call.tool, call.arguments) for call in task.calls)


def scored(task: Task, *calls: RunCall, told: str = "") -> Score:
    return score_of(task, everyday(), AgentRun(calls, (told,) if told else ()))


@pytest.mark.parametrize("task", errands(), ids=lambda one: one.source_id)
def test_gold_solves_and_nothing_does_not(task: Task) -> None:
    answer = "" if task.answer is None else f"At {msgspec.json.decode(task.answer)}."
    score = scored(task, *gold(task), told=answer)
    assert score.solved
    assert score.collateral == ()
    assert score.asked is (task.answer is not None)
    assert not scored(task).solved
    assert not scored(task, told="Done.").solved


def test_state_and_answer_are_judged_apart() -> None:
    errand, _, asking = errands()
    assert scored(asking, told=f"It rings at {next_alarm()}.") == Score(
        digest=True, answer=True, asked=True, collateral=(), calls=0, refused=0
    )
    assert not scored(asking, *gold(asking), told="It rings at 21:51.").answer
    missed = scored(asking, OTHER, told=next_alarm())
    assert (missed.digest, missed.answer) == (False, True)
    beside = scored(errand, *gold(errand), OTHER)
    assert not beside.digest
    assert [table for table, _ in beside.collateral] == ["alarms"]


def test_what_is_taken_back_was_not_touched() -> None:
    errand, *_ = errands()
    with Session(everyday()) as session:
        alarm = session.call(OTHER.tool, OTHER.arguments).result
    assert isinstance(alarm, dict)
    gone = RunCall("alarms.delete_alarm", {"alarm_id": alarm["alarm_id"]})
    assert scored(errand, *gold(errand), OTHER, gone).solved
    assert scored(errand, *gold(errand), OTHER, gone).collateral == ()
    assert scored(errand, *gold(errand), OTHER, gone, gone).refused == 1


def test_calls_that_could_not_be_made_are_refused_calls() -> None:
    errand, *_ = errands()
    lost = RunCall("alarms.next_alarm", {}, "arguments that cannot be read")
    score = scored(errand, lost, *gold(errand))
    assert (score.calls, score.refused, score.solved) == (2, 1, True)
