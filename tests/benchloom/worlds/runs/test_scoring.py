"""Check that the state, the answer, other changes and refusals of a run are scored separately."""

import msgspec
import pytest

from benchloom.worlds import Session
from benchloom.worlds.everyday import everyday
from benchloom.worlds.runs.scoring import AgentRun, RunCall, Score, score_of
from benchloom.worlds.task import Task
from tests.support.samples.errands import errands, next_alarm

EXTRA_CALL = RunCall("alarms.create_alarm", {"time": "03:03"})


def gold_calls(task: Task) -> tuple[RunCall, ...]:
    """Return the calls of a task as calls of an agent."""
    return tuple(RunCall(call.tool, call.arguments) for call in task.calls)


def score_run(task: Task, *calls: RunCall, reply: str = "") -> Score:
    """Return the score of a run with these calls and this reply."""
    return score_of(task, everyday(), AgentRun(calls, (reply,) if reply else ()))


@pytest.mark.parametrize("task", errands(), ids=lambda task: task.source_id)
def test_only_the_gold_calls_solve_a_task(task: Task) -> None:
    answer = "" if task.answer is None else f"At {msgspec.json.decode(task.answer)}."
    score = score_run(task, *gold_calls(task), reply=answer)
    assert score.solved
    assert score.collateral == ()
    assert score.asked is (task.answer is not None)
    assert not score_run(task).solved
    assert not score_run(task, reply="Done.").solved


def test_state_and_answer_are_scored_separately() -> None:
    errand, _, question_task = errands()
    assert score_run(question_task, reply=f"It rings at {next_alarm()}.") == Score(
        digest=True, answer=True, asked=True, collateral=(), calls=0, refused=0
    )
    assert not score_run(
        question_task, *gold_calls(question_task), reply="It rings at 21:51."
    ).answer
    wrong_state = score_run(question_task, EXTRA_CALL, reply=next_alarm())
    assert (wrong_state.digest, wrong_state.answer) == (False, True)
    extra_change = score_run(errand, *gold_calls(errand), EXTRA_CALL)
    assert not extra_change.digest
    assert [table for table, _ in extra_change.collateral] == ["alarms"]


def test_undone_change_is_not_collateral() -> None:
    errand, *_ = errands()
    with Session(everyday()) as session:
        alarm = session.call(EXTRA_CALL.tool, EXTRA_CALL.arguments).result
    assert isinstance(alarm, dict)
    deletion = RunCall("alarms.delete_alarm", {"alarm_id": alarm["alarm_id"]})
    assert score_run(errand, *gold_calls(errand), EXTRA_CALL, deletion).solved
    assert score_run(errand, *gold_calls(errand), EXTRA_CALL, deletion).collateral == ()
    assert score_run(errand, *gold_calls(errand), EXTRA_CALL, deletion, deletion).refused == 1


def test_unreadable_call_counts_as_refused() -> None:
    errand, *_ = errands()
    unreadable_call = RunCall("alarms.next_alarm", {}, "arguments that cannot be read")
    score = score_run(errand, unreadable_call, *gold_calls(errand))
    assert (score.calls, score.refused, score.solved) == (2, 1, True)
