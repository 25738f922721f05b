"""Made-up requests do not take back what they ask for, say its answer, or use an old name."""

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

DRAWN = samples(200, 400)
ALARM = PlannedCall("alarms.create_alarm", {"time": "10:40", "label": "Bakery"})


@cache
def drawn() -> list[tuple[Candidate, list[Outcome]]]:
    """Requests, with what their calls come to."""
    requests = []
    for candidate in islice(candidates((), 7), DRAWN):
        with Session(everyday()) as session:
            outcomes = [session.call(call.tool, call.arguments) for call in candidate.calls]
        requests.append((candidate, outcomes))
    return requests


def last_takes_back(*calls: PlannedCall) -> bool:
    with Session(everyday()) as session:
        outcomes = [session.call(call.tool, call.arguments) for call in calls]
        assert all(outcome.refused is None for outcome in outcomes)
    return takes_back(everyday(), calls[:-1], outcomes[:-1], calls[-1], outcomes[-1])


def made_alarm() -> str:
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
def test_changing_what_was_just_made_takes_it_back(tool: str, arguments: dict[str, object]) -> None:
    alarm = {"alarm_id": made_alarm()}
    assert last_takes_back(ALARM, PlannedCall(tool, {**alarm, **arguments}))  # type: ignore[dict-item]  # plain values


def test_using_what_was_just_made_does_not() -> None:
    with Session(everyday()) as session:
        scenes = session.call("home.search_scenes", {}).result
    assert isinstance(scenes, list)
    assert isinstance(scenes[0], dict)
    use = {"alarm_id": made_alarm(), "scene_id": scenes[0]["scene_id"]}
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
def test_a_request_that_says_its_answer_gives_it_away(
    text: str, answer: Plain, *, expected: bool
) -> None:
    assert gives_away(text, answer) is expected


@pytest.mark.long
def test_no_request_that_is_drawn_gives_its_answer_away() -> None:
    for candidate, outcomes in drawn():
        if candidate.asked is not None:
            answer = answer_in(outcomes[candidate.asked.call].result, candidate.asked)
            assert not gives_away(candidate.turns[0], msgspec.json.decode(answer)), candidate.turns


@pytest.mark.long
def test_no_request_that_is_drawn_takes_back_what_it_asks_for() -> None:
    for candidate, outcomes in drawn():
        for number, (call, outcome) in enumerate(zip(candidate.calls, outcomes, strict=True)):
            earlier = candidate.calls[:number], outcomes[:number]
            assert not takes_back(everyday(), *earlier, call, outcome), candidate.turns


@pytest.mark.long
def test_no_request_that_is_drawn_uses_a_name_after_it_was_changed() -> None:
    old_names = [text for candidate, _ in drawn() for text in _old_names(candidate)]
    assert old_names == []


def _old_names(candidate: Candidate) -> list[str]:
    """Texts in which a name occurs behind the new one that it was changed to."""
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
                    fresh = new[column]
                    is_renamed = (
                        isinstance(value, str) and isinstance(fresh, str) and value != fresh
                    )
                    if is_renamed and len(str(value)) > 3 and str(fresh) in text:
                        position = text.find(str(fresh), text.find(str(value)))
                        if f'"{value}"' in text[position:] or f" {value} a" in text[position:]:
                            texts.append(text)
    return texts
