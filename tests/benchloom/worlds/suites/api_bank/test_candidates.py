"""Check that recorded dialogues become tasks with our ids and only the needed databases."""

from contextlib import closing

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.suites.api_bank.candidates import candidates, start_for
from benchloom.worlds.suites.api_bank.databases import databases_of
from benchloom.worlds.task import Candidate, PlannedCall
from tests.benchloom.worlds.suites.api_bank.sample import (
    ADA,
    TOKEN,
    copy_of,
    dialogue_turn,
    lines,
    recorded_call,
    start,
)

LOGIN = recorded_call("GetUserToken", ADA, {"token": TOKEN})
USER_TURN = dialogue_turn("I am ada, my password is plum-7; drop my reminder to Water.")


def dialogue_candidates(*entries: dict[str, Plain]) -> list[Candidate]:
    """Return the candidates of one dialogue."""
    return list(candidates(copy_of({"one.jsonl": lines(*entries)}), 0))


def test_dialogue_becomes_a_task_that_passes_the_proofs() -> None:
    reminder: dict[str, Plain] = {
        "token": TOKEN,
        "content": "Water",
        "time": "2023-04-01 07:00:00",
    }
    answer = dialogue_turn("It rings at 2023-04-01 07:00:00.")
    search = recorded_call("ToolSearcher", {"keywords": "reminder"}, [])
    (candidate,) = dialogue_candidates(
        USER_TURN, LOGIN, answer, search, recorded_call("DeleteReminder", reminder, "success")
    )
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


def test_candidate_has_the_ids_and_values_of_the_world() -> None:
    appointment: dict[str, Plain] = {
        "patient_name": "Dev",
        "date": "2023-05-02",
        "doctor_name": "Dr. O",
    }
    (candidate,) = dialogue_candidates(
        dialogue_turn("Dev wants to see Dr. O on 2023-05-02, no, not at all."),
        recorded_call("AppointmentRegistration", appointment, "12121212"),
        recorded_call("CancelRegistration", {"appointment_id": "12121212"}, "success"),
        recorded_call(
            "AddScene", {"name": "x", "devices": "[{'name': 'a', 'description': 'b'}]"}, "success"
        ),
    )
    assert candidate.calls[1].arguments["appointment_id"] != "12121212"
    scene: dict[str, Plain] = {"name": "x", "devices": [{"name": "a", "description": "b"}]}
    assert candidate.calls[2] == PlannedCall("api_bank.AddScene", scene)


def test_read_only_dialogue_requests_an_answer() -> None:
    (candidate,) = dialogue_candidates(
        USER_TURN, LOGIN, recorded_call("QueryBalance", {"token": TOKEN}, 12.5)
    )
    assert candidate.asked is not None
    assert candidate.asked.call == 1


def test_dialogue_that_does_not_replay_gives_no_task() -> None:
    wrong_balance = recorded_call("QueryBalance", {"token": TOKEN}, 99)
    assert dialogue_candidates(USER_TURN, LOGIN, wrong_balance) == []
    assert dialogue_candidates(USER_TURN, LOGIN, {**wrong_balance, "result": None}) == []
    assert dialogue_candidates(USER_TURN, LOGIN, recorded_call("FlyAway", {}, "success")) == []
    assert dialogue_candidates(USER_TURN, recorded_call("Translate", {"src": "a"}, "b")) == []
    assert dialogue_candidates(LOGIN, {"role": "AI", "text": "Done."}) == []


def test_start_omits_databases_that_no_planned_tool_reads() -> None:
    databases = databases_of(start())
    start_databases = databases_of(start_for(databases, ["api_bank.Wiki", "api_bank.AddAlarm"]))
    assert start_databases.wiki == databases.wiki
    assert start_databases.account == databases.account
    assert start_databases.exceptions == databases.exceptions
    assert start_databases.image_captioning == []
    assert start_databases.stock == {}
