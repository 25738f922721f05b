"""What a run is worth: state, answer, what else was touched, refusals, each apart."""

import msgspec
import pytest

from benchloom.worlds import Session
from benchloom.worlds.runs.scoring import Made, MadeCall, Score, score_of
from benchloom.worlds.suites.everyday import everyday
from benchloom.worlds.task import Task
from tests.support.samples.errands import errands, next_alarm

OTHER = MadeCall("alarms.create_alarm", {"time": "03:03"})


def gold(task: Task) -> tuple[MadeCall, ...]:
    return tuple(MadeCall(one.tool, one.arguments) for one in task.calls)


def scored(task: Task, *calls: MadeCall, told: str = "") -> Score:
    return score_of(task, everyday(), Made(calls, (told,) if told else ()))


@pytest.mark.parametrize("task", errands(), ids=lambda one: one.source_id)
def test_gold_solves_and_nothing_does_not(task: Task) -> None:
    answer = "" if task.answer is None else f"At {msgspec.json.decode(task.answer)}."
    found = scored(task, *gold(task), told=answer)
    assert found.solved
    assert found.collateral == ()
    assert found.asked is (task.answer is not None)
    assert not scored(task).solved
    assert not scored(task, told="Done.").solved


def test_state_and_answer_are_judged_apart() -> None:
    one, _, asking = errands()
    assert scored(asking, told=f"It rings at {next_alarm()}.") == Score(
        digest=True, answer=True, asked=True, collateral=(), calls=0, refused=0
    )
    assert not scored(asking, *gold(asking), told="It rings at 21:51.").answer
    missed = scored(asking, OTHER, told=next_alarm())
    assert (missed.digest, missed.answer) == (False, True)
    beside = scored(one, *gold(one), OTHER)
    assert not beside.digest
    assert [table for table, _ in beside.collateral] == ["alarms"]


def test_what_is_taken_back_was_not_touched() -> None:
    one, *_ = errands()
    with Session(everyday()) as session:
        found = session.call(OTHER.tool, OTHER.arguments).result
    assert isinstance(found, dict)
    gone = MadeCall("alarms.delete_alarm", {"alarm_id": found["alarm_id"]})
    assert scored(one, *gold(one), OTHER, gone).solved
    assert scored(one, *gold(one), OTHER, gone).collateral == ()
    assert scored(one, *gold(one), OTHER, gone, gone).refused == 1


def test_calls_that_could_not_be_made_are_refused_calls() -> None:
    one, *_ = errands()
    lost = MadeCall("alarms.next_alarm", {}, "arguments that cannot be read")
    found = scored(one, lost, *gold(one))
    assert (found.calls, found.refused, found.solved) == (2, 1, True)
