"""Tests of findings: each kind of fault is found in an example that has no other fault."""

import msgspec
import pytest

from benchloom.exchange.examples import Argument, Call, Example, Finding, Ref
from benchloom.exchange.examples.findings import Repeats, findings_of
from benchloom.exchange.explanations import EXPLANATIONS
from benchloom.normalise.explanations import EXPLANATIONS as PLAN_EXPLANATIONS
from benchloom.normalise.plans.gate import shape_of
from tests.benchloom.exchange.examples.sample import DEFINITIONS

SHAPES = {name: shape_of(definition) for name, definition in DEFINITIONS.items()}
FIND = Call("Bistros", "Find", (Argument("city", "Lomm"),), "Bistros.Find", ("name", "city"))
BOOK = Call(
    "Bistros", "Book", (Argument("name", Ref(0, "name")),), "Bistros.Book", ("name", "time")
)


def example(*calls: Call, **changes: object) -> Example:
    base_example = Example(
        example_id="e",
        target_id="p",
        source="s",
        source_id="1",
        source_uri="f",
        request="Book it",
        calls=calls,
    )
    return msgspec.structs.replace(base_example, **changes)


def with_arguments(call: Call, *arguments: Argument) -> Call:
    return msgspec.structs.replace(call, arguments=arguments)


BROKEN = {
    "unknown_api": example(msgspec.structs.replace(FIND, definition_id="")),
    "unknown_argument": example(
        with_arguments(FIND, Argument("city", "Lomm"), Argument("mood", 1))
    ),
    "missing_argument": example(with_arguments(FIND)),
    "repeated_argument": example(
        with_arguments(FIND, Argument("city", "a"), Argument("city", "b"))
    ),
    "value_not_allowed": example(
        with_arguments(FIND, Argument("city", "a"), Argument("style", "Lunar"))
    ),
    "undeclared_output": example(FIND, with_arguments(BOOK, Argument("name", Ref(0, "menu")))),
    "unreachable_step": example(FIND, with_arguments(BOOK, Argument("name", Ref(3)))),
    "cyclic": example(
        with_arguments(FIND, Argument("city", Ref(1, "name"))),
        with_arguments(BOOK, Argument("name", Ref(0, "name"))),
    ),
    "failed_producer": example(msgspec.structs.replace(FIND, outcome="failed"), BOOK),
    "empty_query": example(FIND, request="  "),
    "no_calls": example(),
    "undefined_label": example(FIND, findings=(Finding("undefined_label", "var9"),)),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_fault_of_every_kind_is_found(kind: str) -> None:
    assert kind in {**EXPLANATIONS, **PLAN_EXPLANATIONS}
    assert kind in {finding.kind for finding in findings_of(BROKEN[kind], SHAPES)}


def test_valid_example_has_no_findings() -> None:
    style = Argument("style", Ref(0, "name"))
    later = with_arguments(FIND, Argument("city", Ref(0, "city")), style)
    assert findings_of(example(FIND, BOOK, later, answer={"a": Ref(1)}), SHAPES) == ()


def test_references_of_the_answer_are_checked() -> None:
    findings = findings_of(example(FIND, answer={"a": Ref(0, "menu"), "b": Ref(7)}), SHAPES)
    assert [finding.kind for finding in findings] == ["undeclared_output", "unreachable_step"]


def test_without_definitions_no_api_is_unknown() -> None:
    assert findings_of(BROKEN["unknown_api"], {}, known_apis=False) == ()


def test_repeated_examples_and_ids_are_found() -> None:
    repeats = Repeats()
    assert repeats.of(example(FIND)) == ()
    assert [finding.kind for finding in repeats.of(example(FIND, source_id="2"))] == ["duplicate"]
    assert repeats.of(example(FIND, request="x")) == ()
    other_target = msgspec.structs.replace(example(BOOK, request="y"), target_id="plan:other")
    assert [finding.kind for finding in repeats.of(other_target)] == ["repeated_id"]
    plan = example(FIND, request=None, source_id="3")
    assert repeats.of(plan) == ()
    assert repeats.of(msgspec.structs.replace(plan, source_id="4")) == ()
