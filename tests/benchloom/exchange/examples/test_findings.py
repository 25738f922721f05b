"""Faults of examples, each kind in an example that has no other fault."""

import msgspec
import pytest

from benchloom.exchange.examples import Argument, Call, Example, Finding, Ref
from benchloom.exchange.examples.findings import Repeats, findings_of
from benchloom.exchange.explanations import EXPLANATIONS
from benchloom.normalise.explanations import EXPLANATIONS as OF_PLANS
from benchloom.normalise.plans.gate import shape_of
from tests.benchloom.exchange.examples.sample import DEFINITIONS

SHAPES = {name: shape_of(one) for name, one in DEFINITIONS.items()}
FIND = Call("Bistros", "Find", (Argument("city", "Lomm"),), "Bistros.Find", ("name", "city"))
BOOK = Call(
    "Bistros", "Book", (Argument("name", Ref(0, "name")),), "Bistros.Book", ("name", "time")
)


def example(*calls: Call, **changes: object) -> Example:
    whole = Example(
        example_id="e",
        target_id="p",
        source="s",
        source_id="1",
        source_uri="f",
        request="Book it",
        calls=calls,
    )
    return msgspec.structs.replace(whole, **changes)


def given(call: Call, *arguments: Argument) -> Call:
    return msgspec.structs.replace(call, arguments=arguments)


BROKEN = {
    "unknown_api": example(msgspec.structs.replace(FIND, definition_id="")),
    "unknown_argument": example(given(FIND, Argument("city", "Lomm"), Argument("mood", 1))),
    "missing_argument": example(given(FIND)),
    "repeated_argument": example(given(FIND, Argument("city", "a"), Argument("city", "b"))),
    "value_not_allowed": example(given(FIND, Argument("city", "a"), Argument("style", "Lunar"))),
    "undeclared_output": example(FIND, given(BOOK, Argument("name", Ref(0, "menu")))),
    "unreachable_step": example(FIND, given(BOOK, Argument("name", Ref(3)))),
    "cyclic": example(
        given(FIND, Argument("city", Ref(1, "name"))), given(BOOK, Argument("name", Ref(0, "name")))
    ),
    "failed_producer": example(msgspec.structs.replace(FIND, outcome="failed"), BOOK),
    "empty_query": example(FIND, request="  "),
    "no_calls": example(),
    "undefined_label": example(FIND, findings=(Finding("undefined_label", "var9"),)),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_every_kind_is_found(kind: str) -> None:
    assert kind in {**EXPLANATIONS, **OF_PLANS}
    assert kind in {finding.kind for finding in findings_of(BROKEN[kind], SHAPES)}


def test_nothing_is_found_in_a_good_example() -> None:
    style = Argument("style", Ref(0, "name"))
    later = given(FIND, Argument("city", Ref(0, "city")), style)
    assert findings_of(example(FIND, BOOK, later, answer={"a": Ref(1)}), SHAPES) == ()


def test_the_answer_is_checked_too() -> None:
    findings = findings_of(example(FIND, answer={"a": Ref(0, "menu"), "b": Ref(7)}), SHAPES)
    assert [finding.kind for finding in findings] == ["undeclared_output", "unreachable_step"]


def test_where_nothing_is_defined_no_api_is_unknown() -> None:
    assert findings_of(BROKEN["unknown_api"], {}, known_apis=False) == ()


def test_examples_that_stand_twice() -> None:
    repeats = Repeats()
    assert repeats.of(example(FIND)) == ()
    assert [finding.kind for finding in repeats.of(example(FIND, source_id="2"))] == ["duplicate"]
    assert repeats.of(example(FIND, request="x")) == ()
    other = msgspec.structs.replace(example(BOOK, request="y"), target_id="plan:other")
    assert [finding.kind for finding in repeats.of(other)] == ["repeated_id"]
    plan = example(FIND, request=None, source_id="3")
    assert repeats.of(plan) == ()
    assert repeats.of(msgspec.structs.replace(plan, source_id="4")) == ()
