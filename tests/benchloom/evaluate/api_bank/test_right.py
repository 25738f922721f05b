"""Tests of API-Bank's scores by the rules `right`: they compare calls by meaning, not spelling."""

from pathlib import Path

import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample
from tests.benchloom.evaluate.api_bank.talks import assistant, call, dialogue_samples

READINGS = [{"name": "pulse", "value": "61"}, {"name": "weight", "value": 70.5}]
NOTE = call(
    "NoteReadings",
    {"person": "R-7", "time": "2024-02-03 07:00:00", "readings": repr(READINGS), "room": "3"},
    "noted",
    {"person": "R-7", "time": "2024-02-03 07:00:00", "readings": READINGS, "room": 3},
)
RIGHT_OUTPUT = (
    "API-Request: [NoteReadings(person='R-7', time='2024-02-03 07:00:00', "
    "readings=[{'name': 'pulse', 'value': '61'}, {'name': 'weight', 'value': 70.5}], room=3)]"
)


@pytest.fixture(scope="module")
def note(tmp_path_factory: pytest.TempPathFactory) -> GoldSample:
    return dialogue_samples(tmp_path_factory.mktemp("note"), NOTE)[0]


def outcome(sample: GoldSample, output: Plain) -> str:
    judgement = BENCHMARK.judge(sample, output, "right")
    assert judgement.counts["calls"] == 1
    assert judgement.counts.get("right", 0) + judgement.counts.get("errors", 0) == 1
    assert judgement.outcome in BENCHMARK.outcomes
    return judgement.outcome


@pytest.mark.parametrize(
    "output",
    [
        RIGHT_OUTPUT,
        RIGHT_OUTPUT.removeprefix("API-Request: "),
        RIGHT_OUTPUT.replace("API-Request: [", "").removesuffix("]"),
        f"I shall note them.\n```python\n{RIGHT_OUTPUT}\n```\nDone.",
        f"<think>[Other(a='b')]</think>{RIGHT_OUTPUT}",
        RIGHT_OUTPUT.replace("room=3", "room='3'"),
        RIGHT_OUTPUT.replace("room=3", "room=3.0"),
        RIGHT_OUTPUT.replace("70.5", "7.05e1"),
        RIGHT_OUTPUT.replace("'61'", "61"),
        RIGHT_OUTPUT.replace("[{'name': 'pulse'", "[{ 'name':'pulse'"),
        (
            "[NoteReadings(room=3, readings=[{'value': '61', 'name': 'pulse'}, {'value': 70.5, "
            "'name': 'weight'}], time=\"2024-02-03 07:00:00\", person='R-7')]"
        ),
        RIGHT_OUTPUT.replace("readings=[", "readings='[").replace("], room", "]', room"),
        RIGHT_OUTPUT.replace("[{'name'", '[{"name"').replace("'weight'", '"weight"'),
        f"{RIGHT_OUTPUT[:-1]}, WashHands()]",
        {
            "api_name": "NoteReadings",
            "param_dict": {
                "person": "R-7",
                "time": "2024-02-03 07:00:00",
                "readings": [{"value": "61", "name": "pulse"}, {"name": "weight", "value": 70.5}],
                "room": 3,
            },
        },
        (
            'Here: {"name": "NoteReadings", "arguments": {"person": "R-7", "time": '
            '"2024-02-03 07:00:00", "readings": [{"name": "pulse", "value": "61"}, '
            '{"name": "weight", "value": 70.5}], "room": "3"}}'
        ),
    ],
)
def test_equal_call_in_another_notation_is_right(note: GoldSample, output: Plain) -> None:
    assert outcome(note, output) == "right"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("", "no_call"),
        (None, "no_call"),
        ([], "no_call"),
        ("Of course (in a minute).", "no_call"),
        ("NoteReadings", "no_call"),
        ("[NoteReadings", "no_call"),
        (RIGHT_OUTPUT[: RIGHT_OUTPUT.index("(") + 1], "unparseable"),
        (RIGHT_OUTPUT[:60], "unparseable"),
        (RIGHT_OUTPUT[:-20], "unparseable"),
        ("NoteReadings(person=", "unparseable"),
        (RIGHT_OUTPUT.replace("person='R-7'", "person="), "unparseable"),
        (RIGHT_OUTPUT.replace("room=3", "room=3, room=4"), "unparseable"),
        ("[A(x=" + "[" * 200 + "]" * 200 + ")]", "unparseable"),
        (7, "unparseable"),
        ({"text": "hello"}, "unparseable"),
        (RIGHT_OUTPUT.replace("NoteReadings", "NoteReading"), "wrong_name"),
        (
            RIGHT_OUTPUT.replace("NoteReadings", "notereadings").replace("room", "rooms"),
            "wrong_name",
        ),
        (RIGHT_OUTPUT.replace("room", "rooms"), "unknown_parameter"),
        (RIGHT_OUTPUT.replace(", room=3", ""), "missing_argument"),
        (RIGHT_OUTPUT.replace("room=3", "room=4"), "wrong_value"),
        (RIGHT_OUTPUT.replace("room=3", "room=True"), "wrong_value"),
        (RIGHT_OUTPUT.replace("room=3", "room=''"), "wrong_value"),
        (RIGHT_OUTPUT.replace("room=3", "room=None"), "wrong_value"),
        (RIGHT_OUTPUT.replace("room=3", "room='03'"), "wrong_value"),
        (RIGHT_OUTPUT.replace("R-7", "R-"), "wrong_value"),
        (RIGHT_OUTPUT.replace("R-7", "r-7"), "wrong_value"),
        (RIGHT_OUTPUT.replace("'61'", "'62'"), "wrong_value"),
        (RIGHT_OUTPUT.replace("'pulse'", "'weight'"), "wrong_value"),
        (RIGHT_OUTPUT.replace("{'name': 'pulse', 'value': '61'}, ", ""), "wrong_value"),
    ],
)
def test_wrong_output_gets_the_first_matching_error_class(
    note: GoldSample, output: Plain, expected: str
) -> None:
    assert outcome(note, output) == expected


def test_timed_switch_accepts_device_id_or_name(tmp_path: Path) -> None:
    sample = dialogue_samples(
        tmp_path, call("CancelTimedSwitch", {"device_id": "41", "time": "noon"})
    )[0]
    assert outcome(sample, "[CancelTimedSwitch(device_id='41', time='noon')]") == "right"
    assert outcome(sample, "[CancelTimedSwitch(name='41', time='noon')]") == "right"
    assert outcome(sample, "[CancelTimedSwitch(name='42', time='noon')]") == "wrong_value"


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ("open shed", "right"),
        ("Shed open", "right"),
        ("OpenShed", "right"),
        ("UnlockShed", "right"),
        ("GetKey", "wrong_value"),
        ("shed", "wrong_value"),
        ("", "wrong_value"),
    ],
)
def test_search_keywords_match_words_or_a_listed_tool(
    tmp_path: Path, keywords: str, expected: str
) -> None:
    apis: list[dict[str, object]] = [
        {"name": name, "description": "", "input_parameters": {}}
        for name in ("GetKey", "UnlockShed")
    ]
    sample = dialogue_samples(
        tmp_path, call("ToolSearcher", {"keywords": "open shed"}, apis), level=2
    )[0]
    assert outcome(sample, f"[ToolSearcher(keywords={keywords!r})]") == expected


def test_letter_case_counts_unless_the_tool_ignores_it(tmp_path: Path) -> None:
    tool = {
        "name": "FindPerson",
        "description": "",
        "input_parameters": {
            "id": {"type": "str", "description": "The id. Cases are ignored."},
            "town": {"type": "str", "description": "The town."},
            "age": {"type": "int", "description": "In years."},
        },
        "output_parameters": {},
    }
    search = call("ToolSearcher", {"keywords": "person"}, tool)

    def find(age: str) -> GoldSample:
        lookup = call("FindPerson", {"id": "Ab1", "town": "Ulm", "age": age})
        return dialogue_samples(tmp_path, search, lookup, level=2)[1]

    sample = find("030")
    assert outcome(sample, "[FindPerson(id='aB1', town='Ulm', age='030')]") == "right"
    assert outcome(sample, "[FindPerson(id='aB1', town='ulm', age='030')]") == "wrong_value"
    sample = find("30")
    assert outcome(sample, "[FindPerson(id='Ab1', town='Ulm', age='30.0')]") == "right"
    assert outcome(sample, "[FindPerson(id='Ab1', town='Ulm')]") == "missing_argument"


def test_call_recorded_as_failed_is_an_exception(tmp_path: Path) -> None:
    failed = call("OpenShed", {"number": "9"}, None, exception="There is no such shed.")
    sample = dialogue_samples(tmp_path, failed, call("OpenShed", {"number": "4"}))[1]
    assert outcome(sample, "[OpenShed(number=9)]") == "exception"
    assert outcome(sample, "[OpenShed(number=8)]") == "wrong_value"
    assert outcome(sample, "[OpenShed(number=4)]") == "right"


def test_parameter_absent_from_gold_accepts_only_none(tmp_path: Path) -> None:
    sample = dialogue_samples(
        tmp_path, call("Ring", {"bell": "1"}, "ok", {"bell": "1", "times": 1})
    )[0]
    assert outcome(sample, "[Ring(bell='1', times=None)]") == "right"
    assert outcome(sample, "[Ring(bell='1', times=2)]") == "wrong_value"
    assert outcome(sample, "[Ring(bell='1', tone=None)]") == "unknown_parameter"


@pytest.mark.parametrize(
    ("output", "value", "expected"),
    [
        ("The fern has water.", 1, "right"),
        ("AI: the fern has water", 1, "right"),
        ({"role": "AI", "text": "The fern has water."}, 1, "right"),
        ("The fern is dry.", 0.5, "response"),
        ("", 0, "response"),
        (None, 0, "response"),
        (["The fern has water."], 0, "unparseable"),
    ],
)
def test_response_is_scored_by_rouge_l(
    tmp_path: Path, output: Plain, value: float, expected: str
) -> None:
    sample = dialogue_samples(tmp_path, call("WaterPlant", {}), assistant("The fern has water."))[1]
    judgement = BENCHMARK.judge(sample, output, "right")
    assert judgement.outcome == expected
    assert judgement.counts["responses"] == 1
    assert judgement.counts.get("rouge_l", 0) == pytest.approx(value)
