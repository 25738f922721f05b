"""Recorded dialogues again: what is equal, what differs and why, ids that are called otherwise."""

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
    called,
    copy_of,
    lines,
    said,
)
from tests.support.formats import stored_object

LOGIN = called("GetUserToken", ADA, {"token": TOKEN})
DEV: dict[str, Plain] = {"patient_name": "Dev", "date": "2023-05-02"}
APPOINTMENT = called("AppointmentRegistration", {**DEV, "doctor_name": "Dr. O"}, "99990000")


def replayed(*entries: dict[str, Plain]) -> Replay:
    """The replay of one dialogue."""
    member = SUITES.find("api-bank")
    assert member.replay is not None
    replays = list(member.replay(copy_of({"one.jsonl": lines(said("Hello"), *entries)})))
    assert len(replays) == 1
    return replays[0]


def test_a_dialogue_is_replayed_on_one_state() -> None:
    alarm: dict[str, Plain] = {"token": TOKEN, "time": "2023-06-01 05:00:00"}
    again: Plain = {"time": "2023-06-01 05:00:00", "username": "ada"}
    dialogue_replay = replayed(
        LOGIN, called("AddAlarm", alarm, "success"), called("QueryAlarm", alarm, again)
    )
    assert dialogue_replay == Replay(1, 1, 3, 3, 0, {})


def test_ids_that_were_drawn_are_called_otherwise_here() -> None:
    query = called("QueryRegistration", DEV, {"99990000": {**DEV, "doctor_name": "Dr. O"}})
    gone = called("CancelRegistration", {"appointment_id": "99990000"}, "success")
    user: dict[str, Plain] = {"username": "cy", "password": "p", "email": "e"}
    registered = called("RegisterUser", user, {"token": "abc"})
    dialogue_replay = replayed(
        APPOINTMENT, query, gone, registered, called("DeleteAccount", {"token": "abc"},
        {"status": "success"}),
    )  # fmt: skip
    assert dialogue_replay.differences == ()
    assert dialogue_replay.calls_equal == 5


def test_an_id_is_called_by_one_name_only() -> None:
    names = Renaming()
    names.learn("BookHotel", "11", "5")
    names.learn("BookHotel", "12", "5")
    names.learn("BookHotel", "11", "6")
    names.learn("QueryBalance", "7", "8")
    names.learn("RegisterUser", "x", {"token": "y"})
    assert names.with_our_ids(["11", "12", "7", {"11": 11}]) == ["5", "12", "7", {"5": 5}]


def test_two_appointments_that_were_recorded_alike_differ() -> None:
    twice = called(
        "AppointmentRegistration",
        {**DEV, "patient_name": "Esi", "doctor_name": "Dr. O"},
        "99990000",
    )
    dialogue_replay = replayed(APPOINTMENT, twice)
    assert dialogue_replay.calls_equal == 1


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (
            called("QueryScene", {"name": "dusk"},
                   [{"name": "Lamp", "description": "the lamp by the door"}]),
            "name_changed",
        ),
        (
            called("CancelTimedSwitch", {"device_id": "77", "time": "2023-04-01 20:00:00"},
                   "success"),
            "name_changed",
        ),
        (
            called("CancelTimedSwitch", {"device_id": "77", "time": "2023-04-01 21:00:00"},
                   "success"),
            "ours_wrong",
        ),
        (
            called("DocumentQA",
                   {"url": "http://lomm.test/d.txt", "question": "Who grows plums?"}, "No idea."),
            "recording_wrong",
        ),
        (called("GetUserToken", {**ADA, "password": "x"}, None, "No!"), "worded_otherwise"),
        (called("GetUserToken", ADA, None, "Not the word."), "ours_wrong"),
        (called("GetUserToken", {**ADA, "password": "x"}, {"token": TOKEN}), "ours_wrong"),
        (called("QueryBalance", {"token": TOKEN}, 13), "ours_wrong"),
        (called("FlyAway", {}, "success"), "unknown_tool"),
    ],
)  # fmt: skip
def test_a_difference_says_why(entry: dict[str, Plain], reason: str) -> None:
    dialogue_replay = replayed(LOGIN, entry)
    assert (dialogue_replay.dialogues, dialogue_replay.dialogues_equal) == (1, 0)
    assert (dialogue_replay.calls, dialogue_replay.calls_equal) == (2, 1)
    assert dialogue_replay.reasons == {reason: 1}
    only = dialogue_replay.differences[0]
    assert (only.tool, only.reason) == (entry["api_name"], reason)
    assert only.place == "copy/dialogues/one.jsonl#call 2"
    assert only.recorded != only.found


def test_a_recorded_refusal_is_equal_when_it_says_the_same() -> None:
    wrong = called("GetUserToken", {**ADA, "password": "x"}, None, "Not the word.")
    assert replayed(wrong).calls_equal == 1


def test_a_question_nobody_answers_is_told_as_the_dialogues_are_told() -> None:
    question: dict[str, Plain] = {"url": "http://lomm.test/d.txt", "question": "Who sleeps?"}
    assert replayed(called("DocumentQA", question, "Too hard.")).calls_equal == 1


def test_what_no_world_answers_is_excluded() -> None:
    untold = {**called("GetToday", {}, None), "result": None}
    dialogue_replay = replayed(
        called("Translate", {"src": "a"}, "b"),
        called("Dictionary", {"keyword": "a"}, []),
        called("ToolSearcher", {"keywords": "a"}, []),
        untold,
    )
    assert (dialogue_replay.calls, dialogue_replay.excluded, dialogue_replay.dialogues_equal) == (
        0,
        4,
        1,
    )
    assert dialogue_replay.reasons == {"needs_model": 1, "needs_network": 2, "no_result": 1}


def test_damaged_lines_and_files_are_told_and_the_rest_is_replayed() -> None:
    member = SUITES.find("api-bank")
    assert member.replay is not None
    dialogues = {"bad.jsonl": b"{\n", "half.jsonl": lines(said("Hello"), LOGIN) + b"{]\n"}
    replays = list(member.replay(copy_of(dialogues)))
    total = total_of(replays)
    assert (total.dialogues, total.dialogues_equal, total.calls_equal) == (1, 0, 1)
    assert total.reasons == {"damaged_line": 1, "wrong_shape": 1}


def test_without_databases_nothing_is_replayed() -> None:
    member = SUITES.find("api-bank")
    assert member.replay is not None
    with pytest.raises(RunError, match="no readable database of API-Bank"):
        list(member.replay([stored_object("one.jsonl", lines(said("Hello"), LOGIN))]))


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
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
def test_values_are_compared(one: Plain, other: Plain, wanted: bool) -> None:
    assert equal(one, other) is wanted
