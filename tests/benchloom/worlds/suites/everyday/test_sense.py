"""Check that generated requests do not undo themselves, state answers, or use old names."""

from functools import cache
from itertools import islice

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds import Session
from benchloom.worlds.everyday import everyday
from benchloom.worlds.proofs.trials import answer_in
from benchloom.worlds.requests.sense import gives_away, takes_back
from benchloom.worlds.session import Outcome
from benchloom.worlds.suites.everyday import candidates
from benchloom.worlds.task import Candidate, PlannedCall
from tests.support.soak import samples

SAMPLE_SIZE = samples(200, 400)
ALARM = PlannedCall("alarms.create_alarm", {"time": "10:40", "label": "Bakery"})


@cache
def sampled_requests() -> list[tuple[Candidate, list[Outcome]]]:
    """Return generated requests with the outcomes of their calls."""
    requests = []
    for candidate in islice(candidates((), 7), SAMPLE_SIZE):
        with Session(everyday()) as session:
            outcomes = [session.call(call.tool, call.arguments) for call in candidate.calls]
        requests.append((candidate, outcomes))
    return requests


def last_takes_back(*calls: PlannedCall) -> bool:
    """Return whether the last call takes back what the earlier calls did."""
    with Session(everyday()) as session:
        outcomes = [session.call(call.tool, call.arguments) for call in calls]
        assert all(outcome.refused is None for outcome in outcomes)
    return takes_back(everyday(), calls[:-1], outcomes[:-1], calls[-1], outcomes[-1])


def created_alarm_id() -> str:
    """Return the id of the alarm that ALARM creates."""
    with Session(everyday()) as session:
        alarm = session.call(ALARM.tool, ALARM.arguments).result
    assert isinstance(alarm, dict)
    return str(alarm["alarm_id"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("alarms.update_alarm", {"enabled": False}),
        ("alarms.update_alarm", {"time": "11:00"}),
        ("alarms.update_alarm", {"label": "Tea"}),
        ("alarms.delete_alarm", {}),
    ],
)
def test_changing_a_new_alarm_takes_it_back(tool: str, arguments: dict[str, object]) -> None:
    alarm = {"alarm_id": created_alarm_id()}
    assert last_takes_back(ALARM, PlannedCall(tool, {**alarm, **arguments}))  # type: ignore[dict-item]  # plain values


def test_using_a_new_alarm_takes_nothing_back() -> None:
    with Session(everyday()) as session:
        scenes = session.call("home.search_scenes", {}).result
    assert isinstance(scenes, list)
    assert isinstance(scenes[0], dict)
    use = {"alarm_id": created_alarm_id(), "scene_id": scenes[0]["scene_id"]}
    assert not last_takes_back(ALARM, PlannedCall("home.run_scene_at_alarm", use))


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("Find out in which town Green Oven Skerry is.", "Skerry", True),
        ('Tell me who comes with me to "Talk with Xenia Brandt".', "Xenia Brandt", True),
        ("Tell me the room of the Bedroom heater.", "bedroom", True),
        ("Find out in which town Skerryvore House is.", "Skerry", False),
        ("Find out how likely rain is on March 25.", 25, False),
    ],
)
def test_request_that_contains_its_answer_is_detected(
    text: str, answer: Plain, *, expected: bool
) -> None:
    assert gives_away(text, answer) is expected


@pytest.mark.long
def test_generated_requests_do_not_contain_their_answers() -> None:
    for candidate, outcomes in sampled_requests():
        if candidate.asked is not None:
            answer = answer_in(outcomes[candidate.asked.call].result, candidate.asked)
            assert not gives_away(candidate.turns[0], msgspec.json.decode(answer)), candidate.turns


@pytest.mark.long
def test_generated_requests_take_nothing_back() -> None:
    for candidate, outcomes in sampled_requests():
        for number, (call, outcome) in enumerate(zip(candidate.calls, outcomes, strict=True)):
            earlier = candidate.calls[:number], outcomes[:number]
            assert not takes_back(everyday(), *earlier, call, outcome), candidate.turns


@pytest.mark.long
def test_generated_requests_use_no_replaced_names() -> None:
    old_names = [text for candidate, _ in sampled_requests() for text in _old_names(candidate)]
    assert old_names == []


def _old_names(candidate: Candidate) -> list[str]:
    """Return the turns in which an old name occurs after the new name that replaced it."""
    text = candidate.turns[0]
    texts = []
    with Session(everyday()) as session:
        for call in candidate.calls:
            with session.trial():
                effects = session.call(call.tool, call.arguments).effects
            changed = [effect for effect in effects if effect.kind == "changed"]
            before = [session.row(effect.table, effect.key) for effect in changed]
            session.call(call.tool, call.arguments)
            after = [session.row(effect.table, effect.key) for effect in changed]
            for old, new in zip(before, after, strict=True):
                assert old is not None
                assert new is not None
                for column, value in old.items():
                    new_value = new[column]
                    is_renamed = (
                        isinstance(value, str) and isinstance(new_value, str) and value != new_value
                    )
                    if is_renamed and len(str(value)) > 3 and str(new_value) in text:
                        position = text.find(str(new_value), text.find(str(value)))
                        if f'"{value}"' in text[position:] or f" {value} a" in text[position:]:
                            texts.append(text)
    return texts
