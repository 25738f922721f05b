"""Check results, refusals and effects of API-Bank's tools and how they read text arguments."""

from typing import Any

import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds.suites.api_bank.databases import Page, Pages
from benchloom.worlds.suites.api_bank.part import APP
from benchloom.worlds.suites.api_bank.tool import cast_to
from benchloom.worlds.suites.api_bank.tools.media import Ranking
from benchloom.worlds.suites.api_bank.tools.sundries import FormulaError, value_of
from benchloom.worlds.suites.api_bank.world import world
from tests.benchloom.worlds.suites.api_bank.sample import ADA, TOKEN, session, start

OK = "success"
MEET: dict[str, Plain] = {"token": TOKEN, "meeting_topic": "Harvest"}
DEVICES = "[{'name': 'tap', 'description': 'the tap'}]"
TIME = "2023-04-09 06:00:00"


def call_outcomes(calls: list[tuple[str, dict[str, Plain]]]) -> list[Any]:
    """Return for each call in one session its result, or the kind and text of its refusal."""
    results: list[Any] = []
    with session() as api_session:
        for name, arguments in calls:
            outcome = api_session.call(f"{APP}.{name}", arguments)
            refusal = (outcome.refused or "", outcome.message)
            results.append(outcome.result if outcome.refused is None else refusal)
    return results


SINGLE_CALLS: list[tuple[str, dict[str, Plain], object]] = [
    ("GetUserToken", {**ADA}, {"token": TOKEN}),
    ("GetUserToken", {**ADA, "username": "zed"}, ("not_found", "Who is that?")),
    ("GetUserToken", {**ADA, "password": "x"}, ("permission", "Not the word.")),
    ("RegisterUser", {**ADA, "email": "e"}, ("conflict", "the user name is already in use")),
    ("DeleteAccount", {"token": TOKEN}, {"status": OK}),
    ("DeleteAccount", {"token": "x"}, ("permission", "No such token.")),
    ("QueryAgenda", {"token": TOKEN, "content": "Prune", "time": "2023-04-02 09:00:00"},
     {"content": "Prune", "time": "2023-04-02", "location": "yard", "username": "ada"}),
    ("QueryAgenda", {"token": TOKEN, "content": "Paint"},
     ("not_found", "there is no event with the content Paint")),
    ("QueryAlarm", {"token": TOKEN, "time": "2023-04-02 6:10:00"},
     {"time": "2023-04-02 06:10:00", "username": "ada"}),
    ("QueryAlarm", {"token": TOKEN, "time": TIME}, ("not_found", f"Nothing rings at {TIME}!")),
    ("AddAlarm", {"token": TOKEN, "time": "soon"},
     ("invalid_argument", "time data 'soon' does not match format '%Y-%m-%d %H:%M:%S'")),
    ("QueryReminder", {"token": TOKEN, "content": "?", "time": "2023-04-01 07:00:00"},
     {"content": "Water", "time": "2023-04-01 07:00:00", "username": "ada"}),
    ("QueryReminder", {"token": TOKEN},
     ("invalid_argument", "all search criteria are blank; pass at least one")),
    ("QueryRegistration", {"patient_name": "Cleo", "date": "2023-05-01"},
     {"11112222": {"patient_name": "Cleo", "date": "2023-05-01", "doctor_name": "Dr. Fenn"}}),
    ("CancelRegistration", {"appointment_id": "x"},
     ("not_found", "no appointment has this id")),
    ("QueryBalance", {"token": TOKEN}, 12.5),
    ("QueryBalance", {"token": "t0k3n-bo"}, ("not_found", "the user has no bank account")),
    ("OpenBankAccount", {"account": "a", "password": "b", "name": "c"}, OK),
    ("BookHotel", {"hotel_name": "Mill", "check_in_time": "2023-04-01",
     "check_out_time": "2023-04-03", "room_count": "1", "adult_count": "2", "child_count": 0}, "5"),
    ("BookHotel", {"hotel_name": "Mill", "check_in_time": "2023-04-03",
     "check_out_time": "2023-04-01", "room_count": 1, "adult_count": 2, "child_count": 0},
     ("unavailable", "the hotel has no such room")),
    ("QueryHealthData", {"user_id": "u1", "start_time": "2023-03-01 00:00:00",
     "end_time": "2023-03-02 00:00:00"}, [{"time": "2023-03-01 08:00:00", "pulse": 61}]),
    ("QueryHealthData", {"user_id": "u1", "start_time": TIME, "end_time": "2023-03-02 00:00:00"},
     ("invalid_argument", "the end is before the start")),
    ("RecordHealthData", {"user_id": "u1", "time": TIME, "health_data": "[{'name': 'x'}]"},
     ("invalid_argument", "each entry of health_data needs a name and a value")),
    ("QueryScene", {"name": "Dusk"}, [{"name": "lamp", "description": "the lamp by the door"}]),
    ("AddScene", {"name": "DUSK", "devices": DEVICES},
     ("conflict", "there is a scene of this name")),
    ("AddScene", {"name": "dawn", "devices": "[1]"},
     ("invalid_argument", "a device needs a name and a description")),
    ("CancelTimedSwitch", {"device_id": "lamp", "time": "2023-04-01 20:00:00"}, OK),
    ("CancelTimedSwitch", {"name": "lamp", "time": TIME},
     ("not_found", "the device has no switch at this time")),
    ("CancelTimedSwitch", {"name": "fan", "time": TIME}, ("not_found", "there is no such device")),
    ("SymptomSearch", {"symptom": "Sore Thumb"},
     [{"name": "Splinter", "description": "Wood in it."}]),
    ("EmergencyKnowledge", {"symptom": "sore thumb"},
     [{"name": "Splinter", "aid": "Pull it out."}]),
    ("EmergencyKnowledge", {"symptom": " "}, ("invalid_argument", "symptom is empty")),
    ("QueryHistoryToday", {"date": "02-30"},
     ["Title: Odd day, Date: 1712-02-30, Description: It happened once."]),
    ("QueryStock", {"stock_code": "PLUM", "date": "2023-03-01"}, 7.25),
    ("QueryStock", {"stock_code": "PLUM", "date": "x"},
     ("not_found", "there is no price for this day")),
    ("Wiki", {"keyword": "Grey_HERON"}, {"url": "http://lomm.test/h", "summary": "A bird."}),
    ("DocumentQA", {"url": "http://lomm.test/d.txt", "question": "who grows plums?"}, "Ada does."),
    ("DocumentQA", {"url": "http://lomm.test/d.txt", "question": "?"},
     "no document contains the answer"),
    ("ImageCaption", {"url": "http://lomm.test/a.png"}, "a heron"),
    ("SpeechRecognition", {"url": "http://lomm.test/a.wav"}, "the heron stands"),
    ("GetToday", {}, "2023-03-31"),
    ("Calculator", {"formula": "(1+2)*3-8/4"}, 7.0),
    ("SendEmail", {"receiver": "bo", "subject": "s", "content": "c"}, OK),
    ("PlayMusic", {"music_name": " Reeds and Water"}, "music://reeds and water"),
    ("Dictionary", {"keyword": "x"}, ("unavailable", "a dictionary needs the network: 'x'")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "expected"), SINGLE_CALLS)
def test_tool_returns_the_expected_outcome(
    name: str, arguments: dict[str, Plain], expected: object
) -> None:
    assert call_outcomes([(name, arguments)]) == [expected]


def test_written_data_can_be_read_changed_and_deleted() -> None:
    alarm: dict[str, Plain] = {"token": TOKEN, "time": TIME}
    results = call_outcomes(
        [
            ("AddAlarm", alarm),
            ("ModifyAlarm", {"token": TOKEN, "from_time": TIME, "to_time": "2023-04-09 07:00:00"}),
            ("QueryAlarm", {"token": TOKEN, "time": "2023-04-09 07:00:00"}),
            ("DeleteAlarm", {"token": TOKEN, "time": "2023-04-09 07:00:00"}),
            ("DeleteAlarm", {"token": TOKEN, "time": "2023-04-09 07:00:00"}),
            ("ModifyMeeting", {**MEET, "location": "yard", "attendees": "['Bo']"}),
            ("QueryMeeting", MEET),
            ("DeleteMeeting", {"token": TOKEN, "start_time": "2023-04-05 10:00:00"}),
            ("QueryMeeting", MEET),
            ("AddScene", {"name": "Dawn", "devices": DEVICES}),
            ("QueryScene", {"name": "dawn"}),
            ("DeleteScene", {"name": "dawn"}),
            ("ModifyScene", {"name": "dawn", "devices": DEVICES}),
            ("RecordHealthData", {"user_id": "u2", "time": TIME,
             "health_data": "[{'name': 'pulse', 'value': '70'}]"}),
            ("QueryHealthData", {"user_id": "u2", "start_time": TIME, "end_time": TIME}),
        ]
    )  # fmt: skip
    assert results[:3] == [OK, OK, {"time": "2023-04-09 07:00:00", "username": "ada"}]
    assert results[3:5] == [OK, ("not_found", "there is no alarm at 2023-04-09 07:00:00")]
    assert results[6]["location"] == "yard"
    assert results[6]["attendees"] == ["Bo"]
    assert results[7:9] == [OK, ("not_found", "there is no meeting about Harvest")]
    assert results[9:12] == [OK, [{"name": "tap", "description": "the tap"}], OK]
    assert results[12] == ("not_found", "there is no scene of this name")
    assert results[13:] == [OK, [{"time": TIME, "pulse": "70"}]]


def test_account_can_be_recovered_and_deleted() -> None:
    code = {"status": "Verification Code", "new_password": "new"}
    results = call_outcomes(
        [
            ("ForgotPassword", {**code, "verification_code": "1"}),
            ("ForgotPassword", {"status": "Forgot Password", "username": "ada", "email": "x"}),
            ("ForgotPassword", {"status": "Forgot Password", "username": "ada",
             "email": "ada@lomm.test"}),
            ("ForgotPassword", {**code, "verification_code": "970420"}),
            ("GetUserToken", {"username": "ada", "password": "new"}),
            ("ModifyPassword", {"token": TOKEN, "old_password": "new", "new_password": "newer"}),
            ("DeleteAccount", {"token": TOKEN}),
            ("GetUserToken", {"username": "ada", "password": "newer"}),
        ]
    )  # fmt: skip
    assert [refusal[0] for refusal in results[:2] if isinstance(refusal, tuple)] == [
        "conflict",
        "permission",
    ]
    assert results[2:4] == [970420, OK]
    assert results[4:7] == [{"token": TOKEN}, {"status": OK}, {"status": OK}]
    assert results[7] == ("not_found", "Who is that?")


def test_appointment_is_booked_once_and_can_be_moved() -> None:
    booking: dict[str, Plain] = {
        "patient_name": "Dev",
        "date": "2023-05-02",
        "doctor_name": "Dr. O",
    }
    with session() as api_session:
        key = api_session.call(f"{APP}.AppointmentRegistration", booking).result
        assert isinstance(key, str)
        assert len(key) == 8
        assert key.isdecimal()
        repeated_booking = api_session.call(f"{APP}.AppointmentRegistration", booking)
        other_booking = api_session.call(
            f"{APP}.AppointmentRegistration", {**booking, "doctor_name": "Dr. P"}
        )
        assert (repeated_booking.refused, other_booking.refused) == ("conflict", "conflict")
        assert repeated_booking.message != other_booking.message
        change: dict[str, Plain] = {
            "appointment_id": key,
            "new_appointment_date": "2023-05-03",
            "new_appointment_doctor": "Dr. O",
        }
        assert api_session.call(f"{APP}.ModifyRegistration", change).result == OK
        assert api_session.call(f"{APP}.ModifyRegistration", change).refused == "conflict"
        assert [(e.kind, e.table) for e in api_session.log[0].effects] == [
            ("added", "appointments")
        ]


def test_absurd_arguments_leave_the_state_consistent() -> None:
    """Refused calls have no effects, and the state changes only if a writing tool succeeds."""
    values: list[Plain] = [
        None, True, -1, 2**70, 1e300, "", "x" * 100_000, "'; DROP TABLE accounts; --", "\0",
        "\ud800", [[[]]], {"a": {}}, "[" * 5000, "9" * 5000, "nan",
    ]  # fmt: skip
    tools = world(start()).tools
    with session() as api_session:
        before = api_session.digest()
        for name, tool in tools.items():
            assert api_session.call(name, {"no such": 1}).refused == "invalid_argument"
            for value in values:
                arguments = dict.fromkeys(tool.schema()["properties"], value)
                outcome = api_session.call(name, arguments)
                if outcome.refused is not None:
                    assert not outcome.effects
                elif not tool.reads:
                    before = api_session.digest()
            assert api_session.digest() == before


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (int, "2", 2),
        (int, "two", "two"),
        (float, " 1e3 ", 1000.0),
        (float, "True", "True"),
        (bool, "False", False),
        (bool, "no", "no"),
        (list, "['a', 1]", ["a", 1]),
        (list, '[{"a": null}]', [{"a": None}]),
        (list, "['a'", "['a'"),
        (list, ["a"], ["a"]),
        (str, 7, "7"),
        (str, "['a']", "['a']"),
        (str, True, True),
    ],
)
def test_text_is_cast_to_the_parameter_type(kind: object, value: Plain, expected: Plain) -> None:
    cast_value = cast_to(kind, value)
    assert cast_value == expected
    assert type(cast_value) is type(expected)


@pytest.mark.parametrize("formula", ["", "1+", "(1", "1)", "1/0", "2**3", "x", "1 2", "-" * 3000])
def test_invalid_formula_raises_formula_error(formula: str) -> None:
    with pytest.raises(FormulaError):
        value_of(formula)


def test_pages_with_rare_words_rank_first() -> None:
    pages = [Page("a", str(at), text) for at, text in enumerate(["p q", "p r r", "p s", "p t"])]
    best_pages = Ranking(Pages(pages)).best("R p", 2)
    assert best_pages[0].url == "1"
    assert Ranking(Pages()).best("x", 2) == []


def test_tool_search_adds_the_login_tool_where_needed() -> None:
    results = call_outcomes([("ToolSearcher", {"keywords": "set an alarm"}),
                  ("ToolSearcher", {"keywords": "calculator"}),
                  ("ToolSearcher", {"keywords": "zzz"})])  # fmt: skip
    names = [[tool["name"] for tool in tool_list if isinstance(tool, dict)]
             for tool_list in results[:2] if isinstance(tool_list, list)]  # fmt: skip
    assert names == [["GetUserToken", "AddAlarm"], ["Calculator"]]
    assert results[2] == ("not_found", "no tool matches the keywords")


def test_all_52_tools_have_a_description() -> None:
    tools = world("{}").tools
    assert len(tools) == 52
    for tool in tools.values():
        assert tool.about.endswith(".")
        assert set(tool.parameters) == set(tool.schema()["properties"])


def results_and_digest(calls: list[tuple[str, dict[str, Plain]]]) -> tuple[list[Plain], str]:
    """Return the results of calls in one session and the digest of its final state."""
    with session() as api_session:
        results = [api_session.call(f"{APP}.{name}", arguments).result for name, arguments in calls]
        return results, api_session.digest()


def test_equal_calls_reach_the_same_digest() -> None:
    calls: list[tuple[str, dict[str, Plain]]] = [
        ("RegisterUser", {"username": "cy", "password": "p", "email": "e"}),
        ("SendEmail", {"receiver": "bo", "subject": "s", "content": "c"}),
    ]
    assert results_and_digest(calls) == results_and_digest(calls)


def test_order_of_additions_does_not_change_the_digest() -> None:
    calls: list[tuple[str, dict[str, Plain]]] = []
    for name in "ab":
        health_data = f"[{{'name': '{name}', 'value': 1}}]"
        event: dict[str, Plain] = {"token": TOKEN, "content": name, "time": TIME}
        alarm: dict[str, Plain] = {"token": TOKEN, "time": TIME.replace("06", f"0{len(calls)}")}
        calls += [
            ("AddAlarm", alarm),
            ("AddReminder", event),
            ("AddAgenda", {**event, "location": "x"}),
            ("RecordHealthData", {"user_id": "u", "time": TIME, "health_data": health_data}),
        ]
    results, digest = results_and_digest(calls)
    assert set(results) == {OK}
    assert results_and_digest(calls[::-1]) == (results, digest)
