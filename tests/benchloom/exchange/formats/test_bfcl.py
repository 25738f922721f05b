"""Tests of the leaderboard's format: gold passes its rules, and changed calls fail them."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given

from benchloom.core.records.values import RuntimeValue
from benchloom.exchange.examples import Argument, Call, Composed, Example, Ref, Turn, Value
from benchloom.exchange.examples.call_messages import render_example
from benchloom.exchange.examples.example import Result
from benchloom.exchange.examples.tools import dotted_name
from benchloom.exchange.formats.bfcl.writer import fill_example
from tests.benchloom.exchange.examples.sample import BOOK, FIND, example
from tests.benchloom.exchange.formats.bfcl_checker import passes
from tests.benchloom.exchange.formats.generated import examples, export_objects, read
from tests.benchloom.exchange.formats.test_round_trips import QUICK, without_origin

REQUEST_EXAMPLE = msgspec.structs.replace(example(), request="Find and book")


def export_rows(
    folder: Path, *source_examples: Example
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Iterate over category, question and answer of each exported row."""
    export_objects("bfcl", folder, *source_examples)
    for path in sorted(folder.rglob("BFCL_v4_*.json")):
        if path.parent.name == "possible_answer":
            continue
        answers = (path.parent / "possible_answer" / path.name).read_bytes().splitlines()
        for line, answer in zip(path.read_bytes().splitlines(), answers, strict=True):
            yield path.stem.removeprefix("BFCL_v4_"), json.loads(line), json.loads(answer)


def gold_calls(source_example: Example) -> list[dict[str, Any]]:
    """Return the calls of an example in the form that the checker takes."""
    plain, _ = fill_example(source_example)
    return [{call.name: call.arguments} for call in render_example(plain, dotted_name).calls]


def mutations(calls: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Iterate over lists of calls with one fault each."""
    yield calls[1:]
    yield [*calls, calls[0]]
    for index, call in enumerate(calls):
        ((name, arguments),) = call.items()

        def with_arguments(
            changed_arguments: Any, name: str = name, index: int = index
        ) -> list[dict[str, Any]]:
            return [*calls[:index], {name: changed_arguments}, *calls[index + 1 :]]

        yield [*calls[:index], {f"{name}x": arguments}, *calls[index + 1 :]]
        yield with_arguments({**arguments, "surely not declared": 1})
        for argument, value in arguments.items():
            yield with_arguments({**arguments, argument: changed_value(value)})


def changed_value(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "q"
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, list):
        return [*value, "q"]
    return {**value, "q": 1} if isinstance(value, dict) else "q"


def test_gold_passes_and_every_changed_call_fails(tmp_path: Path) -> None:
    ((category, question, answer),) = export_rows(tmp_path / "a", REQUEST_EXAMPLE)
    assert category == "parallel_multiple"
    assert question["id"] == answer["id"] == "parallel_multiple_0"
    assert question["question"] == [[{"role": "user", "content": "Find and book"}]]
    assert answer["ground_truth"] == [
        {"Bistros__Find": {"city": ["Lomm"], "style": ["Basque"]}},
        {"Bistros__Book": {"name": ["Casa Ibarra"], "time": ["19:00", ""]}},
    ]
    right_calls = gold_calls(REQUEST_EXAMPLE)
    assert passes(question, answer, right_calls)
    assert passes(question, answer, right_calls[::-1])
    assert passes(
        question,
        answer,
        [right_calls[0], {"Bistros__Book": {"name": "casa-ibarra", "time": "19:00"}}],
    )
    wrong_calls = list(mutations(right_calls))
    assert len(wrong_calls) == 9
    assert not any(passes(question, answer, calls) for calls in wrong_calls)


@given(examples(recorded=False))
@QUICK
def test_generated_gold_passes_and_changed_calls_fail(source_example: Example) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = list(export_rows(Path(folder) / "a", source_example))
    _, losses = fill_example(source_example)
    if any(loss.whole for loss in losses):
        assert not rows
        return
    ((_, question, answer),) = rows
    right_calls = gold_calls(source_example)
    assert passes(question, answer, right_calls)
    count = Counter(json.dumps(call, sort_keys=True) for call in right_calls)
    for calls in mutations(right_calls):
        if Counter(json.dumps(call, sort_keys=True) for call in calls) != count:
            assert not passes(question, answer, calls), calls


def test_row_ids_are_numbered_per_category(tmp_path: Path) -> None:
    find = REQUEST_EXAMPLE.calls[0]
    single_example = msgspec.structs.replace(REQUEST_EXAMPLE, calls=(find,), definitions=(FIND,))
    example_with_two_tools = msgspec.structs.replace(REQUEST_EXAMPLE, calls=(find,))
    example_of_two_calls = msgspec.structs.replace(
        REQUEST_EXAMPLE, calls=(find, find), definitions=(FIND,), split="train"
    )
    rows = [
        (c, q["id"])
        for c, q, _ in export_rows(
            tmp_path / "a",
            single_example,
            example_with_two_tools,
            example_of_two_calls,
            REQUEST_EXAMPLE,
            single_example,
            example_of_two_calls,
        )
    ]
    assert sorted(rows) == [
        ("multiple", "multiple_0"),
        ("parallel", "parallel_0"),
        ("parallel", "parallel_1"),
        ("parallel_multiple", "parallel_multiple_0"),
        ("simple_python", "simple_python_0"),
        ("simple_python", "simple_python_1"),
    ]
    assert (tmp_path / "a" / "train" / "possible_answer" / "BFCL_v4_parallel.json").is_file()


def with_value(value: Value, result: Value) -> Example:
    find = REQUEST_EXAMPLE.calls[0]
    recorded = Result(result) if result is not None else None
    return msgspec.structs.replace(
        REQUEST_EXAMPLE,
        calls=(
            msgspec.structs.replace(find, result=recorded),
            Call("Bistros", "Book", (Argument("name", value),), BOOK.definition_id),
        ),
    )


def test_references_are_replaced_by_recorded_values() -> None:
    output = {"name": "Casa Ibarra", "n": 2}
    for value, expected_value in [
        (Ref(0, "name"), "Casa Ibarra"),
        (Composed(("to ", Ref(0, "name"), " x", Ref(0, "n"))), "to Casa Ibarra x2"),
        ([Ref(0, "n")], [2]),
        ({"a": Ref(0)}, {"a": output}),
    ]:
        plain, losses = fill_example(with_value(value, result=output))  # type: ignore[arg-type]  # values of any type
        assert plain.calls[1].arguments[0].value == expected_value
        assert {loss.kind for loss in losses} == {"expanded_reference", "result"}
    user_input = RuntimeValue("input", "Ask")
    unknown = (
        Ref(0, "name"),
        Ref(0, "absent"),
        Ref(0, "name", "[0]"),
        [Ref(5)],
        user_input,
        [user_input],
    )
    for value in (*unknown, Composed(("to ", user_input))):
        result = None if value == Ref(0, "name") else output
        _, losses = fill_example(with_value(value, result=result))  # type: ignore[arg-type]  # values of any type
        assert [loss.kind for loss in losses if loss.whole] == ["unknown_value"]


@pytest.mark.parametrize(("time", "kinds"), [("19:00", {"changed_argument"}), ("20:00", set())])
def test_argument_that_is_not_read_back_is_a_reported_loss(
    time: str, kinds: set[str], tmp_path: Path
) -> None:
    arguments = (Argument("name", "Casa"), Argument("time", time))
    call = Call("Bistros", "Book", arguments, BOOK.definition_id)
    objects, losses = export_objects(
        "bfcl", tmp_path, msgspec.structs.replace(REQUEST_EXAMPLE, calls=(call,))
    )
    assert losses == kinds
    (reread_example,) = read("bfcl", objects)
    assert reread_example.calls[0].arguments == arguments[: 1 if kinds else 2]


def test_user_turns_between_calls_become_multi_turn_rows(tmp_path: Path) -> None:
    turns = (Turn("user", "Find", 0), Turn("assistant", "Here", 1), Turn("user", "Book", 1))
    dialogue_example = msgspec.structs.replace(REQUEST_EXAMPLE, request="Find", turns=turns)
    ((category, question, answer),) = export_rows(tmp_path / "a", dialogue_example)
    assert category == "multi_turn_base"
    assert question["question"] == [
        [{"role": "user", "content": "Find"}],
        [{"role": "user", "content": "Book"}],
    ]
    assert answer["ground_truth"] == [
        ["Bistros__Find(city='Lomm', style='Basque')"],
        ["Bistros__Book(name='Casa Ibarra')"],
    ]
    assert question["involved_classes"] == ["Bistros"]
    assert question["path"] == ["Bistros__Find", "Bistros__Book"]
    objects, losses = export_objects("bfcl", tmp_path / "b", dialogue_example)
    assert losses == {"no_classes", "expanded_reference", "assistant_turn"}
    (reread_example,) = read("bfcl", objects)
    assert (
        render_example(reread_example).calls
        == render_example(fill_example(dialogue_example)[0]).calls
    )
    assert [(turn.text, turn.before) for turn in reread_example.turns] == [("Find", 0), ("Book", 1)]


@given(examples(recorded=False))
@QUICK
def test_example_read_twice_stays_equal(source_example: Example) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, kinds = export_objects("bfcl", Path(folder) / "a", source_example)
        if kinds & {"unknown_value", "reads_as_reference", "changed_argument"}:
            return
        (first_copy,) = read("bfcl", first)
        assert [call.arguments for call in render_example(first_copy).calls] == [
            next(iter(call.values())) for call in gold_calls(source_example)
        ]
        second, _ = export_objects("bfcl", Path(folder) / "b", first_copy)
        (second_copy,) = read("bfcl", second)
        assert without_origin(second_copy) == without_origin(first_copy)
