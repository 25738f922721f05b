"""Tests of reading API-Bank's files in every shape; damage rejects only its line or record."""

import json

import msgspec
import pytest

from benchloom.core.records.values import MAX_DEPTH
from benchloom.exchange.examples import Finding, Result, Turn
from benchloom.exchange.formats.api_bank import FORMAT
from benchloom.exchange.formats.api_bank.declared import type_of, type_text
from benchloom.exchange.formats.api_bank.talks import split_of
from tests.benchloom.exchange.formats.api_bank.sample import (
    DIALOGUE,
    LAMP,
    LAMP_ARGUMENTS,
    LIBRARY,
    PLAN,
    SCENE,
    SHADES,
    Json,
    read,
)
from tests.benchloom.worlds.suites.api_bank.sample import lines

NAME = "level-1-given-desc/SetLamp-level-1-1.jsonl"


def test_dialogue_file_is_read_completely() -> None:
    (example,), definitions, rejected = read(**{NAME: lines(*DIALOGUE)})
    assert (rejected, example.findings) == ([], ())
    assert (example.source, example.source_id, example.split) == (
        "api-bank",
        "SetLamp-level-1-1",
        "level-1",
    )
    assert example.turns == (
        Turn("user", "Make the attic cosy", 0),
        Turn("assistant", "Let me look for a tool.", 0),
        Turn("user", "Warm and blue\nplease", 1),
        Turn("assistant", "The attic is lit.", 3),
        Turn("user", "Thanks", 3),
    )
    assert example.request == "Make the attic cosy\nWarm and blue\nplease"
    search, lamp, cellar = example.calls
    assert {argument.name: argument.value for argument in lamp.arguments} == LAMP_ARGUMENTS
    assert [argument.name for argument in lamp.arguments] == sorted(LAMP_ARGUMENTS)
    assert lamp.result == Result({"state": "on"}, None, LAMP_ARGUMENTS)
    assert (cellar.outcome, cellar.result) == (
        "failed",
        Result(None, "there is no lamp", {"room": "cellar"}),
    )
    definitions_by_id = {definition.definition_id: definition for definition in definitions}
    assert definitions_by_id[lamp.definition_id].api == "SetLamp"
    assert lamp.returns == ("state",)
    search_definition = {
        definition.definition_id: definition for definition in example.definitions
    }[search.definition_id]
    assert (search_definition.api, search_definition.source_kind) == ("ToolSearcher", "benchloom")


def test_level_3_record_has_request_calls_and_answer() -> None:
    data = json.dumps([PLAN, {**PLAN, "requirement": "Again"}]).encode()
    (first, second), _, rejected = read(**{"test-data__level-3.json": data})
    assert not rejected
    assert (first.request, second.request) == ("Make the attic cosy", "Again")
    assert first.turns == (
        Turn("user", "Make the attic cosy", 0),
        Turn("assistant", "It is.", 2),
    )
    assert first.calls[1].result == Result("success", None, LAMP_ARGUMENTS)
    assert (first.source_id, first.split) == ("test-data__level-3/1", "level-3")
    assert first.example_id != second.example_id
    assert first.target_id == second.target_id


def training_row(history: str, following: str, **more: object) -> Json:
    instruction = f"Do it.\nAPI descriptions:\n{json.dumps(LAMP)}"
    return {"instruction": instruction, "input": history, "output": following, **more}


CALL = "API-Request: [SetLamp(room='attic', shades=['warm, dim', 'it\\'s \"blue\"'])]"
HISTORY = "User: Light the attic\nin blue\nAI: Which\nAPI-Request: [Other(x='1')]->[1, {'a': 2}]\n"


def test_rows_of_a_dialogue_are_joined() -> None:
    answered = f"{HISTORY}{CALL}->success\nGenerate AI Response:\n"
    data = lines(
        training_row(f"{HISTORY}Generate API Request:\n", CALL),
        training_row(answered, "AI: Done\n"),
        training_row("User: Something else\nGenerate API Request: ", "API-Request: [GetHour()]"),
    )
    (first, second), definitions, rejected = read(**{"training-data.jsonl": data})
    assert not rejected
    assert [definition.api for definition in definitions] == ["SetLamp"]
    assert first.turns == (
        Turn("user", "Light the attic\nin blue", 0),
        Turn("assistant", "Which", 0),
        Turn("assistant", "Done", 2),
    )
    assert [call.result for call in first.calls] == [Result([1, {"a": 2}]), Result("success")]
    assert first.calls[1].arguments[1].value == SHADES
    assert (second.calls[0].api, second.calls[0].definition_id) == ("GetHour", "")
    assert {first.split, second.split} == {"train"}


def test_row_without_history_is_read() -> None:
    (example,), _, rejected = read(**{"rows.jsonl": lines(training_row(" ", CALL))})
    assert (rejected, example.request, len(example.calls)) == ([], None, 1)


def test_mistake_in_a_call_text_is_an_oddity() -> None:
    data = lines(
        training_row("User: Go\nGenerate API Request:\n", "API-Request: [SetLamp(room=attic)]")
    )
    (example,), _, _ = read(**{"rows.jsonl": data})
    assert example.oddities == ("no_quotes",)
    assert example.calls[0].arguments[0].value == "attic"


def test_scene_file_has_an_utterance_and_calls() -> None:
    (example,), _, rejected = read(**{"lv3/Evening.txt": SCENE.encode()})
    assert not rejected
    assert (example.request, example.split) == ("Get the attic ready.", "level-3")
    assert [len(call.arguments) for call in example.calls] == [2, 1]
    assert example.oddities == ("no_quotes", "text_behind_call")


def test_api_table_is_parsed_and_never_executed() -> None:
    errors = {"GetHour": ["There is no clock."], "Unheard": ["What?"]}
    _, (lamp, hour), (rejected_api, unknown_api) = read(
        **{"all_apis.csv": LIBRARY.encode(), "exceptions.json": json.dumps(errors).encode()}
    )
    assert [
        (parameter.name, parameter.type, parameter.optional) for parameter in lamp.parameters
    ] == [
        ("room", "string", False),
        ("level", "integer", True),
    ]
    assert hour.parameters == ()
    assert [note.text for note in hour.notes] == ["There is no clock."]
    assert (rejected_api.source_uri, rejected_api.reason) == ("all_apis.csv#row 2", "no_value")
    assert unknown_api.source_uri == "exceptions.json#Unheard"


def test_call_gets_the_definition_that_fits_its_arguments() -> None:
    examples, definitions, _ = read(
        **{
            "all_apis.csv": LIBRARY.encode(),
            "a.jsonl": lines(*request_and_call({"room": "attic", "shades": ["warm"]})),
            "b.jsonl": lamp_rows(),
        }
    )
    call_definition = {definition.definition_id: definition for definition in definitions}[
        examples[0].calls[0].definition_id
    ]
    assert {parameter.name for parameter in call_definition.parameters} == {
        "room",
        "shades",
        "options",
    }


def request_and_call(arguments: Json) -> list[Json]:
    return [
        {"role": "User", "text": "Go"},
        {"role": "API", "api_name": "SetLamp", "param_dict": arguments, "result": None},
    ]


def lamp_rows() -> bytes:
    return lines(
        training_row("User: Hm\nGenerate API Request:\n", "API-Request: [SetLamp(room='x')]")
    )


DEEP = "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"role": "User"}', "wrong_shape"),
        (b'{"role": "Robot", "text": "x"}', "wrong_shape"),
        (b'{"role": "API", "api_name": "f"}', "wrong_shape"),
        (b'{"role": "API", "api_name": "", "param_dict": {}}', "wrong_shape"),
        (b'{"role": "API", "api_name": "f", "param_dict": []}', "wrong_shape"),
        (b'{"role": 5, "text": "x"}', "wrong_shape"),
        (b'{"role": "User", "text": "x"', "bad_json"),
        (b'{"role": "User", "text": "\xff"}', "bad_json"),
        (f'{{"role": "API", "api_name": "f", "param_dict": {{"a": {DEEP}}}}}'.encode(), "too_deep"),
        (
            f'{{"role":"API","api_name":"f","param_dict":{{}},"result":{DEEP}}}'.encode(),
            "too_deep",
        ),
        (b'{"role": "API", "api_name": "f", "param_dict": {"a": ' + b"[" * 100_000, "too_deep"),
    ],
    ids=range(11),
)
def test_damaged_line_is_rejected_with_its_number(line: bytes, reason: str) -> None:
    data = b'{"role": "User", "text": "Hello"}\r\n' + line + b"\n" + lines(*request_and_call({}))
    (example,), _, (rejected,) = read(**{"level-1/a.jsonl": b"\xef\xbb\xbf" + data})
    assert rejected.source_uri == "level-1/a.jsonl#line 2"
    assert rejected.reason == reason
    assert example.findings == (Finding("damaged_line", f"line 2: {rejected.reason}"),)
    assert [turn.text for turn in example.turns] == ["Hello", "Go"]


def test_result_of_another_api_is_a_finding() -> None:
    changed_call = msgspec.json.decode(lines(*DIALOGUE).splitlines()[4])
    changed_call["result"]["api_name"] = "GetHour"
    (example,), _, _ = read(**{NAME: lines(DIALOGUE[0], changed_call)})
    assert [finding.kind for finding in example.findings] == ["other_result"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"instruction": "Do.", "input": "User: a\nGenerate API Request:\n"}, "wrong_shape"),
        (training_row("What\nUser: a\n", "AI: b"), "wrong_shape"),
        (training_row("User: a\n", "API-Request: [f(a="), "no_value"),
        (training_row("User: a\nAPI-Request: nothing\n", "AI: b"), "no_call"),
        (training_row("User: a\n", "API-Request: [f(a=" + "'x', " * 90_000), "too_large"),
    ],
    ids=range(5),
)
def test_unreadable_row_is_rejected(record: Json, reason: str) -> None:
    valid_row = training_row("User: Go\nGenerate API Request:\n", CALL)
    examples, _, (rejected,) = read(**{"rows.jsonl": lines(valid_row, record)})
    assert (rejected.reason, rejected.source_uri) == (reason, "rows.jsonl#line 2")
    assert len(examples) == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("all_apis.csv", b"id,api_info\n1,\xff"),
        ("all_apis.csv", b"id,api_info\n1,x=1"),
        ("exceptions.json", b"[1]"),
        ("exceptions.json", b"{"),
        ("Evening.txt", b"Scene: nothing"),
        ("Evening.txt", b"Scene: x\nFirst Utterance: y\nAPI Calls:\nnone"),
        ("Evening.txt", b"Scene: \xff"),
        ("notes.txt", b"Something else"),
    ],
)
def test_damaged_file_is_rejected_once(name: str, data: bytes) -> None:
    examples, definitions, rejected = read(**{name: data})
    assert (examples, definitions, len(rejected)) == ([], [], 1)


@pytest.mark.parametrize(
    "source",
    ["-" * 60_000 + "1", "(" * 60_000, "x = 1+" * 9, "x" * 70_000, "description = '\\ud83d'"],
    ids=range(5),
)
def test_hostile_api_source_is_rejected(source: str) -> None:
    _, definitions, (rejected,) = read(
        **{"all_apis.csv": f'id,name,api_info\n1,f,"{source}"\n'.encode()}
    )
    assert definitions == []
    assert rejected.reason in {"bad_source", "too_deep", "too_large", "bad_text"}


def test_empty_file_has_no_dialogue() -> None:
    assert read(**{"lv1/a.jsonl": b""}) == ([], [], [])


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        (NAME, lines(*DIALOGUE), True),
        ("x.json", json.dumps([PLAN]).encode(), True),
        ("rows.jsonl", lamp_rows(), True),
        ("all_apis.csv", LIBRARY.encode(), True),
        ("Evening.txt", SCENE.encode(), True),
        ("set/exceptions.json", b'{"f": ["x"]}', True),
        ("x.json", b'[{"input": "a", "output": [{"name": "f"}]}]', False),
        ("x.jsonl", b'{"messages": [{"role": "user", "content": "x"}]}', False),
        ("x.txt", b"", False),
    ],
)
def test_files_are_recognised_by_name_and_head(name: str, head: bytes, expected: bool) -> None:
    assert FORMAT.recognises(name, head) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("str", "str"),
        ("int", "int"),
        ("List[str]", "List[str]"),
        ("list(str)", "List[str]"),
        ("list of dictionaries", "List[dict]"),
        ("Union[List[dict], dict]", "Union[List[dict], dict]"),
        ("list", "list"),
        ("float/int", "float/int"),
        ("datetime", "datetime"),
    ],
)
def test_type_names_convert_both_ways(text: str, expected: str) -> None:
    parsed_type = type_of(text)
    written = type_text(parsed_type.name, multiple=parsed_type.multiple)
    assert written == expected
    assert type_of(written) == parsed_type


@pytest.mark.parametrize(
    ("path", "split"),
    [
        ("api_bank.zip!lv1-lv2-samples/level-1-given-desc/A-level-2-1.jsonl", "level-1"),
        ("x/lv2/A-level-3-1.jsonl", "level-2"),
        ("json/test-data__level-3-batch.json", "level-3"),
        ("json/training-data__lv3-train.json", "train"),
        ("dialogues/validation/a.jsonl", "validation"),
        ("talks.jsonl", ""),
        ("constraints.jsonl", ""),
    ],
)
def test_split_follows_the_path(path: str, split: str) -> None:
    assert split_of(path) == split
