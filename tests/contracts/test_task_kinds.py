"""Check every task kind of the everyday suite: tasks are proved and only gold moves solve them."""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.worlds.proofs import OpenWorlds, prove, prove_again, row_of, task_of
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Rule, Task
from benchloom.worlds.task_kinds import TASK_KINDS
from flows.stages.tasks import prove_chunk
from tests.support.players.moves import Moves, gold_moves, no_moves, score_moves
from tests.support.samples.tasks_of_suites import alarm_tasks_with_rules

TASKS = 4
NO = "I cannot do that, so I changed nothing."
_OF_EVERYDAY = [
    name
    for name, kind in TASK_KINDS.all().items()
    if not kind.fault("everyday", SUITES.find("everyday"))
]
"""Every kind except `shortcut`, which `test_phone` covers."""
ALARM = ("alarms__create_alarm", {"time": "07:05", "label": "market"})


def draw_proved_tasks(kind: str) -> Iterator[Task]:
    """Yield proved tasks of a kind."""
    suite = SUITES.find("everyday")
    for candidate in TASK_KINDS.find(kind).draw("everyday", suite, [], 1):
        for verdict in prove_chunk("tasks-everyday", 6, kind, [candidate]):
            if isinstance(verdict, Task):
                yield verdict


@pytest.mark.long
@pytest.mark.parametrize("kind", _OF_EVERYDAY)
def test_only_the_gold_moves_solve_a_task(kind: str) -> None:
    with closing(OpenWorlds()) as open_worlds:
        for task in islice(draw_proved_tasks(kind), TASKS):
            assert task.kind == kind
            right = gold_moves(task)
            assert score_moves(task, right) == 1.0
            assert score_moves(task, no_moves(task)) == 0.0
            assert score_moves(task, Moves((*right.texts[:-1], NO))) == float(task.declines)
            rules = [rule.tool for rule in task.policy if rule.test == "said"]
            confirmed = any(call.tool in rules for call in task.calls)
            assert score_moves(task, Moves(right.texts[-1:], right.calls)) == float(not confirmed)
            wrong = tuple((call.tool.replace(".", "__"), call.arguments) for call in task.forbidden)
            assert score_moves(task, Moves(right.texts, right.calls + wrong)) == float(not wrong)
            assert task_of(row_of(task)) == task
            assert prove_again(task, open_worlds) == task


@pytest.mark.long
def test_no_tool_tasks_offer_only_similar_tools() -> None:
    for task in islice(draw_proved_tasks("no-tool"), TASKS):
        needed = task.forbidden[-1].tool
        app, _, _ = needed.partition(".")
        assert needed not in task.tools
        assert any(tool.startswith(f"{app}.") for tool in task.distractors)


@pytest.mark.parametrize(
    ("moves", "reward"),
    [
        (Moves((NO,)), 1.0),
        (Moves(("Alarms before 08:00 are not allowed, so I have not set one.",)), 1.0),
        (Moves((NO,), (("alarms__search_alarms", {}),)), 1.0),
        (Moves(("",)), 0.0),
        (Moves(("Done.",)), 0.0),
        (Moves((NO,), (ALARM,)), 0.0),
        (Moves((NO,), (("alarms__create_alarm", {"time": "08:00"}),)), 0.0),
    ],
)
def test_forbidden_request_must_be_declined_without_a_change(moves: Moves, reward: float) -> None:
    with closing(OpenWorlds()) as open_worlds:
        forbidden, allowed = (
            prove(each, open_worlds, distractors=3) for each in alarm_tasks_with_rules()
        )
        assert prove_again(forbidden, open_worlds) == forbidden
    assert score_moves(forbidden, moves) == reward
    assert score_moves(allowed, Moves((NO,))) == 0.0
    assert score_moves(allowed, gold_moves(allowed)) == 1.0
    assert forbidden.policy[0].text in forbidden.instructions("2027-03-15")


def test_reverted_change_still_earns_no_reward() -> None:
    with closing(OpenWorlds()) as open_worlds:
        task = prove(alarm_tasks_with_rules()[0], open_worlds, distractors=3)
        creation = open_worlds.of(task.suite, task.start).session.call(
            "alarms.create_alarm", ALARM[1]
        )
    assert isinstance(creation.result, dict)
    deletion = ("alarms__delete_alarm", {"alarm_id": creation.result["alarm_id"]})
    assert score_moves(task, Moves((NO,), (ALARM, deletion))) == 0.0


def test_change_before_confirmation_earns_no_reward() -> None:
    allowed = alarm_tasks_with_rules()[1]
    rule = Rule("Ask first.", ALARM[0].replace("__", "."), "", "said", "I confirm")
    turns = (*allowed.turns, "Yes, I confirm.")
    with closing(OpenWorlds()) as open_worlds:
        asking = msgspec.structs.replace(allowed, policy=(rule,), turns=turns)
        task = prove(asking, open_worlds, distractors=3)
    assert score_moves(task, Moves(("Shall I?", "Done."), (ALARM,))) == 1.0
    assert score_moves(task, Moves(("Done.",), (ALARM,))) == 0.0


def test_rules_that_contradict_the_plan_are_rejected() -> None:
    forbidden, allowed = alarm_tasks_with_rules()
    for candidate, policy, reason in (
        (forbidden, allowed.policy, "allowed"),
        (allowed, forbidden.policy, "forbidden"),
    ):
        changed = msgspec.structs.replace(candidate, policy=policy)
        with closing(OpenWorlds()) as open_worlds, pytest.raises(RejectedInputError) as caught:
            prove(changed, open_worlds, distractors=3)
        assert caught.value.reason == reason
