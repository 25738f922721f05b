"""Tests of importing files in the leaderboard's published layout: every well-formed row is read."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition, PlanningPath, Query, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.call_messages import render_example
from benchloom.exchange.examples.tools import dotted_name
from benchloom.release import check_release
from benchloom.storage.tables import iter_records
from flows.stages.imports import ImportOptions
from flows.stages.release import release_stages
from tests.benchloom.exchange.formats.bfcl_checker import passes
from tests.benchloom.exchange.formats.bfcl_rows import CATEGORIES, rows, write_files, write_lines
from tests.benchloom.exchange.formats.generated import export_objects, read
from tests.support.formats import reader, stored_object
from tests.support.stages import import_set

PER_CATEGORY = 40
FACTORIAL = {
    "name": "math.factorial",
    "description": "Multiplies.",
    "parameters": {
        "type": "dict",
        "properties": {"number": {"type": "integer"}},
        "required": ["number"],
    },
}


def question(row_id: str = "simple_python_1", **changes: Any) -> dict[str, Any]:
    messages = [[{"role": "user", "content": "Of five?"}]]
    return {"id": row_id, "question": messages, "function": [FACTORIAL], **changes}


def answer(row_id: str = "simple_python_1", **accepted: Any) -> dict[str, Any]:
    return {"id": row_id, "ground_truth": [{"math.factorial": accepted or {"number": [5]}}]}


def read_rows(
    *question_rows: dict[str, Any], answers: list[dict[str, Any]], name: str = "a"
) -> list[Any]:
    """Return the examples and rejected records of these rows and answers."""
    files = {f"{name}.json": list(question_rows), f"possible_answer/{name}.json": answers}
    objects = [
        stored_object(path, "\n".join(map(json.dumps, lines)).encode())
        for path, lines in files.items()
    ]
    return [row for row in reader("bfcl").read(objects) if not isinstance(row, ApiDefinition)]


def test_well_formed_rows_are_imported_and_released(tmp_path: Path) -> None:
    count = write_files(tmp_path / "in", PER_CATEGORY)
    done = import_set("bfcl", [tmp_path / "in"], tmp_path / "out", ImportOptions())
    assert [row.message for row in iter_records(tmp_path / "out", "rejected", Rejected)] == []
    assert done.report.kept == count == PER_CATEGORY * len(CATEGORIES)
    assert done.others == 0
    paths = list(iter_records(tmp_path / "out", "planning_paths", PlanningPath))
    uncalled = [path for path in paths if not path.steps]
    assert {path.category for path in uncalled} == {"none"}
    assert sum(len(path.dialogues) for path in uncalled) == 2 * PER_CATEGORY
    assert all(path.tools for path in uncalled)
    release = release_stages([tmp_path / "out"], tmp_path / "releases")
    check_release(release)


@pytest.mark.parametrize("category", [name for name, (_, _, n) in CATEGORIES.items() if n])
def test_read_calls_pass_the_checker_and_survive_export(category: str, tmp_path: Path) -> None:
    question_rows = list(rows(category, PER_CATEGORY))
    answers = [truth for _, truth in question_rows if truth]
    examples = read_rows(*(question_row for question_row, _ in question_rows), answers=answers)
    is_python = category not in {"simple_java", "simple_javascript"}
    for example, (question_row, truth) in zip(examples, question_rows, strict=True):
        assert truth is not None
        calls = [{call.name: call.arguments} for call in render_example(example, dotted_name).calls]
        assert [*map(list, calls)] == [*map(list, truth["ground_truth"])]
        if is_python:
            assert passes(question_row, truth, calls) or has_mixed_list(truth), (
                question_row,
                truth,
                calls,
            )
    objects, _ = export_objects("bfcl", tmp_path / "again", *examples)
    copied_examples = read("bfcl", objects)
    assert sorted(calls_of(copied_example) for copied_example in copied_examples) == sorted(
        calls_of(source_example) for source_example in examples
    )


def has_mixed_list(value: Any) -> bool:
    """Return whether a list mixes types of elements, which the checker refuses even in gold."""
    if isinstance(value, dict):
        return any(map(has_mixed_list, value.values()))
    if not isinstance(value, list):
        return False
    return len({type(element) for element in value}) > 1 or any(map(has_mixed_list, value))


def calls_of(example: Example) -> str:
    return repr(
        [(call.name, call.arguments) for call in render_example(example, dotted_name).calls]
    )


def test_dotted_name_is_one_api_without_an_app() -> None:
    (example,) = read_rows(question(), answers=[answer()])
    (definition,) = example.definitions
    assert (definition.app, definition.api) == (None, "math.factorial")
    assert (example.calls[0].app, example.calls[0].api) == ("", "math.factorial")
    assert example.calls[0].definition_id == definition.definition_id
    assert not example.findings


@pytest.mark.parametrize("name", ["openai", "hermes", "sharegpt", "trl", "adp", "bfcl", "jsonl"])
def test_dotted_name_survives_every_format(name: str, tmp_path: Path) -> None:
    (example,) = read_rows(question(), answers=[answer()])
    objects, _ = export_objects(name, tmp_path / "a", example)
    (copied_example,) = read(name, objects)
    assert [call.api for call in copied_example.calls] == ["math.factorial"]
    assert [definition.api for definition in copied_example.definitions] == ["math.factorial"]
    assert copied_example.calls[0].definition_id == copied_example.definitions[0].definition_id


def test_nested_object_is_compared_without_alternatives(tmp_path: Path) -> None:
    inner = {"type": "dict", "properties": {"b": {"type": "integer"}, "c": {"type": "array"}}}
    outer = {"type": "dict", "properties": {"a": inner}}
    parameters = {"type": "dict", "properties": {"o": outer}, "required": ["o"]}
    tool = {"name": "f", "description": "", "parameters": parameters}
    for inner_value in ({"b": 1, "c": [2]}, {"b": [1], "c": [2]}, {"b": [1, 3], "c": [2]}):
        truth = {"id": "simple_python_1", "ground_truth": [{"f": {"o": [{"a": [inner_value]}]}}]}
        (example,) = read_rows(question(function=[tool]), answers=[truth])
        assert example.calls[0].arguments[0].value == {"a": {"b": 1, "c": [2]}}
    objects, _ = export_objects("bfcl", tmp_path / "a", example)
    files = {
        source_object.source_uri: json.loads(source_object.read()) for source_object in objects
    }
    written_rows = (
        files["BFCL_v4_simple_python.json"],
        files["possible_answer/BFCL_v4_simple_python.json"],
    )
    assert passes(*written_rows, [{"f": {"o": {"a": {"b": 1, "c": [2]}}}}])
    assert not passes(*written_rows, [{"f": {"o": {"a": {"b": 1, "c": [3]}}}}])


def test_accepted_value_allowed_by_the_definition_is_chosen() -> None:
    properties = {
        "unit": {"type": "string", "enum": ["cm", "inch"]},
        "note": {"type": "string"},
        "n": {"type": "integer"},
    }
    parameters = {"type": "dict", "properties": properties, "required": ["unit", "note"]}
    tool = {**FACTORIAL, "parameters": parameters}
    truth = answer(unit=["centimetre", "cm"], note=["", "x"], n=["", 3])
    (example,) = read_rows(question(function=[tool]), answers=[truth])
    assert {argument.name: argument.value for argument in example.calls[0].arguments} == {
        "unit": "cm",
        "note": "x",
    }


def test_irrelevance_row_without_functions_becomes_an_empty_plan(tmp_path: Path) -> None:
    row_id = "live_irrelevance_0-0-0"
    row = question(row_id, function=[])
    (example,) = read_rows(row, answers=[])
    assert isinstance(example, Example)
    assert (example.request, example.calls, example.definitions) == ("Of five?", (), ())
    objects, _ = export_objects("bfcl", tmp_path / "again", example)
    (copied_example,) = read("bfcl", objects)
    assert (copied_example.request, copied_example.calls, copied_example.oddities) == (
        "Of five?",
        (),
        ("no_tools",),
    )
    with_system_message = [
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Six?"}]
    ]
    second = question("live_irrelevance_1-0-0", function=[], question=with_system_message)
    write_lines(tmp_path / "BFCL_v4_live_irrelevance.json", [row, second])
    file_path = tmp_path / "BFCL_v4_live_irrelevance.json"
    done = import_set("bfcl", [file_path], tmp_path / "out", ImportOptions())
    assert (done.report.kept, done.report.invalid) == (2, 0)
    release = release_stages([tmp_path / "out"], tmp_path / "releases")
    check_release(release)
    (path,) = iter_records(release, "planning_paths", PlanningPath)
    assert (path.steps, path.tools, path.category) == ((), (), "none")
    assert [dialogue.source_id for dialogue in path.dialogues] == [row_id, second["id"]]
    texts = {query.text for query in iter_records(release, "queries", Query)}
    assert texts == {"Of five?", "Six?"}


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    (question("live_relevance_0-0-0"), "any_call", "any call is right"),
    (question("simple_python_2"), "no_answer", "pass the folder possible_answer"),
    (question("exec_simple_0"), "unknown_category", "category 'exec_simple' is not one of"),
    (question("x"), "no_answer", "no answer has this id"),
    (question("x", function=[]), "no_answer", "no answer has this id"),
    (question(function=None), "unexpected_shape", "the row has no 'function'"),
    (question(function=3), "unexpected_shape", "function"),
    (question("memory_kv_0-a-0", function=None), "runs_on_code", "classes"),
    (
        {
            "id": "multi_turn_base_0",
            "question": [],
            "initial_config": {},
            "involved_classes": ["A"],
        },
        "runs_on_code",
        "a row of multi_turn_base runs on classes of the leaderboard's code",
    ),
]


@pytest.mark.parametrize(("row", "reason", "message"), REFUSED, ids=[r[1] for r in REFUSED])
def test_row_without_gold_call_is_rejected_with_a_reason(
    row: dict[str, Any], reason: str, message: str
) -> None:
    records = read_rows(row, question(), answers=[answer()])
    assert Counter(type(record) for record in records) == {Rejected: 1, Example: 1}
    (rejected,) = (record for record in records if isinstance(record, Rejected))
    assert rejected.reason == reason
    assert message in rejected.message


def test_damaged_answer_rejects_only_its_question() -> None:
    truths: list[Any] = [
        answer("a"),
        {"id": 3},
        {"id": "c", "ground_truth": [{"f": 3}]},
        answer("d"),
    ]
    records = read_rows(*(question(name) for name in "abcd"), answers=truths)
    rejected = [record.reason for record in records if isinstance(record, Rejected)]
    assert rejected == ["wrong_shape", "no_answer", "unexpected_shape"]
    assert sum(isinstance(record, Example) for record in records) == 2


def test_equal_ids_in_two_folders_keep_their_answers(tmp_path: Path) -> None:
    for folder, number in (("a", 5), ("b", 6)):
        write_lines(make_parent(tmp_path / folder / "BFCL_v4_simple_python.json"), [question()])
        answer_path = tmp_path / folder / "possible_answer" / "BFCL_v4_simple_python.json"
        write_lines(make_parent(answer_path), [answer(number=[number])])
    import_set("bfcl", [tmp_path], tmp_path / "out", ImportOptions())
    paths = iter_records(tmp_path / "out", "planning_paths", PlanningPath)
    assert sorted(path.steps[0].arguments[0].value for path in paths) == ["5", "6"]


def make_parent(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_file_without_questions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "BFCL_v4_simple_python.json").write_text('{"id": "a"}')
    with pytest.raises(RunError, match="is not bfcl"):
        import_set("bfcl", [tmp_path], tmp_path / "out", ImportOptions())
