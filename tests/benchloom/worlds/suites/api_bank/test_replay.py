"""Check which recorded calls replay equally, why others differ, and how ids are replaced."""

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.worlds.replay import total_of
from benchloom.worlds.suite import Replay
from benchloom.worlds.suites import SUITES
from benchloom.worlds.suites.api_bank.ids import Renaming, equal
from tests.benchloom.worlds.suites.api_bank.sample import (
    ADA,
    TOKEN,
    copy_of,
    dialogue_turn,
    lines,
    recorded_call,
)
from tests.support.formats import stored_object

LOGIN = recorded_call("GetUserToken", ADA, {"token": TOKEN})
DEV: dict[str, Plain] = {"patient_name": "Dev", "date": "2023-05-02"}
APPOINTMENT = recorded_call("AppointmentRegistration", {**DEV, "doctor_name": "Dr. O"}, "99990000")


def replay_dialogue(*entries: dict[str, Plain]) -> Replay:
    """Return the replay of one dialogue."""
    member = SUITES.find("api-bank")
    assert member.replay is not None
    replays = list(member.replay(copy_of({"one.jsonl": lines(dialogue_turn("Hello"), *entries)})))
    assert len(replays) == 1
    return replays[0]


def test_calls_of_a_dialogue_share_a_state() -> None:
    alarm: dict[str, Plain] = {"token": TOKEN, "time": "2023-06-01 05:00:00"}
    stored_alarm: Plain = {"time": "2023-06-01 05:00:00", "username": "ada"}
    dialogue_replay = replay_dialogue(
        LOGIN,
        recorded_call("AddAlarm", alarm, "success"),
        recorded_call("QueryAlarm", alarm, stored_alarm),
    )
    assert dialogue_replay == Replay(1, 1, 3, 3, 0, {})


def test_recorded_ids_are_replaced_by_our_ids() -> None:
    query = recorded_call("QueryRegistration", DEV, {"99990000": {**DEV, "doctor_name": "Dr. O"}})
    cancellation = recorded_call("CancelRegistration", {"appointment_id": "99990000"}, "success")
    user: dict[str, Plain] = {"username": "cy", "password": "p", "email": "e"}
    registration = recorded_call("RegisterUser", user, {"token": "abc"})
    dialogue_replay = replay_dialogue(
        APPOINTMENT,
        query,
        cancellation,
        registration,
        recorded_call("DeleteAccount", {"token": "abc"}, {"status": "success"}),
    )
    assert dialogue_replay.differences == ()
    assert dialogue_replay.calls_equal == 5


def test_recorded_ids_map_uniquely_to_our_ids() -> None:
    names = Renaming()
    names.learn("BookHotel", "11", "5")
    names.learn("BookHotel", "12", "5")
    names.learn("BookHotel", "11", "6")
    names.learn("QueryBalance", "7", "8")
    names.learn("RegisterUser", "x", {"token": "y"})
    assert names.with_our_ids(["11", "12", "7", {"11": 11}]) == ["5", "12", "7", {"5": 5}]


def test_second_appointment_with_a_recorded_id_differs() -> None:
    second_appointment = recorded_call(
        "AppointmentRegistration",
        {**DEV, "patient_name": "Esi", "doctor_name": "Dr. O"},
        "99990000",
    )
    dialogue_replay = replay_dialogue(APPOINTMENT, second_appointment)
    assert dialogue_replay.calls_equal == 1


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (
            recorded_call("QueryScene", {"name": "dusk"},
                   [{"name": "Lamp", "description": "the lamp by the door"}]),
            "name_changed",
        ),
        (
            recorded_call("CancelTimedSwitch", {"device_id": "77", "time": "2023-04-01 20:00:00"},
                   "success"),
            "name_changed",
        ),
        (
            recorded_call("CancelTimedSwitch", {"device_id": "77", "time": "2023-04-01 21:00:00"},
                   "success"),
            "ours_wrong",
        ),
        (
            recorded_call("DocumentQA",
                   {"url": "http://lomm.test/d.txt", "question": "Who grows plums?"}, "No idea."),
            "recording_wrong",
        ),
        (recorded_call("GetUserToken", {**ADA, "password": "x"}, None, "No!"), "worded_otherwise"),
        (recorded_call("GetUserToken", ADA, None, "Not the word."), "ours_wrong"),
        (recorded_call("GetUserToken", {**ADA, "password": "x"}, {"token": TOKEN}), "ours_wrong"),
        (recorded_call("QueryBalance", {"token": TOKEN}, 13), "ours_wrong"),
        (recorded_call("FlyAway", {}, "success"), "unknown_tool"),
    ],
)  # fmt: skip
def test_each_difference_has_a_reason(entry: dict[str, Plain], reason: str) -> None:
    dialogue_replay = replay_dialogue(LOGIN, entry)
    assert (dialogue_replay.dialogues, dialogue_replay.dialogues_equal) == (1, 0)
    assert (dialogue_replay.calls, dialogue_replay.calls_equal) == (2, 1)
    assert dialogue_replay.reasons == {reason: 1}
    difference = dialogue_replay.differences[0]
    assert (difference.tool, difference.reason) == (entry["api_name"], reason)
    assert difference.place == "copy/dialogues/one.jsonl#call 2"
    assert difference.recorded != difference.found


def test_recorded_refusal_with_the_same_message_is_equal() -> None:
    wrong = recorded_call("GetUserToken", {**ADA, "password": "x"}, None, "Not the word.")
    assert replay_dialogue(wrong).calls_equal == 1


def test_unanswerable_document_question_replays_equally() -> None:
    question: dict[str, Plain] = {"url": "http://lomm.test/d.txt", "question": "Who sleeps?"}
    assert replay_dialogue(recorded_call("DocumentQA", question, "Too hard.")).calls_equal == 1


def test_calls_that_no_world_can_answer_are_excluded() -> None:
    call_without_result = {**recorded_call("GetToday", {}, None), "result": None}
    dialogue_replay = replay_dialogue(
        recorded_call("Translate", {"src": "a"}, "b"),
        recorded_call("Dictionary", {"keyword": "a"}, []),
        recorded_call("ToolSearcher", {"keywords": "a"}, []),
        call_without_result,
    )
    assert (dialogue_replay.calls, dialogue_replay.excluded, dialogue_replay.dialogues_equal) == (
        0,
        4,
        1,
    )
    assert dialogue_replay.reasons == {"needs_model": 1, "needs_network": 2, "no_result": 1}


def test_damaged_dialogues_are_reported_and_others_are_replayed() -> None:
    member = SUITES.find("api-bank")
    assert member.replay is not None
    dialogues = {"bad.jsonl": b"{\n", "half.jsonl": lines(dialogue_turn("Hello"), LOGIN) + b"{]\n"}
    replays = list(member.replay(copy_of(dialogues)))
    total = total_of(replays)
    assert (total.dialogues, total.dialogues_equal, total.calls_equal) == (1, 0, 1)
    assert total.reasons == {"damaged_line": 1, "wrong_shape": 1}


def test_replay_without_databases_raises_run_error() -> None:
    member = SUITES.find("api-bank")
    assert member.replay is not None
    with pytest.raises(RunError, match="no readable database of API-Bank"):
        list(member.replay([stored_object("one.jsonl", lines(dialogue_turn("Hello"), LOGIN))]))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (25, 25.0, True),
        (True, 1, False),
        ([1, {"a": "b"}], [1, {"a": "b"}], True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1], [1, 2], False),
        ("a", "A", False),
        (None, "", False),
    ],
)
def test_equal_compares_values_as_json(first: Plain, second: Plain, expected: bool) -> None:
    assert equal(first, second) is expected
