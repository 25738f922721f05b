"""Dialogues as tasks: what replays as it was recorded, with our ids and what the plan uses."""

from contextlib import closing

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.suites.api_bank.candidates import candidates, start_for
from benchloom.worlds.suites.api_bank.databases import databases_of
from benchloom.worlds.task import Candidate, PlannedCall
from tests.benchloom.worlds.suites.api_bank.sample import (
    ADA,
    TOKEN,
    called,
    copy_of,
    lines,
    said,
    start,
)

LOGIN = called("GetUserToken", ADA, {"token": TOKEN})
SAID = said("I am ada, my password is plum-7; drop my reminder to Water.")


def asked(*entries: dict[str, Plain]) -> list[Candidate]:
    """The candidates of one dialogue."""
    return list(candidates(copy_of({"one.jsonl": lines(*entries)}), 0))


def test_a_dialogue_becomes_a_task_that_is_proved() -> None:
    dropped: dict[str, Plain] = {
        "token": TOKEN,
        "content": "Water",
        "time": "2023-04-01 07:00:00",
    }
    answer = said("It rings at 2023-04-01 07:00:00.")
    search = called("ToolSearcher", {"keywords": "reminder"}, [])
    (candidate,) = asked(SAID, LOGIN, answer, search, called("DeleteReminder", dropped, "success"))
    assert [call.tool for call in candidate.calls] == [
        "api_bank.GetUserToken",
        "api_bank.DeleteReminder",
    ]
    assert len(candidate.turns) == 2
    assert candidate.asked is None
    assert candidate.license == "Apache-2.0"
    with closing(OpenWorlds()) as open_worlds:
        task = prove(candidate, open_worlds, distractors=3)
    assert task.proofs.needed
    assert not any(call.redundant for call in task.calls)


def test_ids_and_values_are_those_of_the_world() -> None:
    appointment: dict[str, Plain] = {
        "patient_name": "Dev",
        "date": "2023-05-02",
        "doctor_name": "Dr. O",
    }
    (candidate,) = asked(
        said("Dev wants to see Dr. O on 2023-05-02, no, not at all."),
        called("AppointmentRegistration", appointment, "12121212"),
        called("CancelRegistration", {"appointment_id": "12121212"}, "success"),
        called(
            "AddScene", {"name": "x", "devices": "[{'name': 'a', 'description': 'b'}]"}, "success"
        ),
    )
    assert candidate.calls[1].arguments["appointment_id"] != "12121212"
    scene: dict[str, Plain] = {"name": "x", "devices": [{"name": "a", "description": "b"}]}
    assert candidate.calls[2] == PlannedCall("api_bank.AddScene", scene)


def test_what_is_asked_is_told_where_nothing_is_done() -> None:
    (candidate,) = asked(SAID, LOGIN, called("QueryBalance", {"token": TOKEN}, 12.5))
    assert candidate.asked is not None
    assert candidate.asked.call == 1


def test_what_does_not_replay_becomes_no_task() -> None:
    wrong = called("QueryBalance", {"token": TOKEN}, 99)
    assert asked(SAID, LOGIN, wrong) == []
    assert asked(SAID, LOGIN, {**wrong, "result": None}) == []
    assert asked(SAID, LOGIN, called("FlyAway", {}, "success")) == []
    assert asked(SAID, called("Translate", {"src": "a"}, "b")) == []
    assert asked(LOGIN, {"role": "AI", "text": "Done."}) == []


def test_a_start_leaves_out_what_no_tool_of_the_plan_looks_up() -> None:
    databases = databases_of(start())
    start_databases = databases_of(start_for(databases, ["api_bank.Wiki", "api_bank.AddAlarm"]))
    assert start_databases.wiki == databases.wiki
    assert start_databases.account == databases.account
    assert start_databases.exceptions == databases.exceptions
    assert start_databases.image_captioning == []
    assert start_databases.stock == {}
