"""Tests of results, variables and needs for input inside the texts and structures of shortcuts."""

import pytest

from benchloom.core.records.values import Plain, Value
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.benchmarks.shortcuts.predictions import read_prediction
from benchloom.evaluate.benchmarks.shortcuts.structure import structure_of
from benchloom.exchange.examples import Argument, Call, Composed, Ref, RuntimeValue
from tests.benchloom.evaluate.shortcuts.drafts import (
    Draft,
    counts,
    needed_input,
    outcome,
    output,
    samples,
    text,
    variable,
    written_action,
)

TWO_ACTIONS: tuple[Draft, ...] = (
    ("getwifi", {"UUID": "W", "CustomOutputName": "Net"}),
    ("getbattery", {"UUID": "B"}),
)
SHOWN_TEXT = text(
    "\U0001f36f At ", output("B"), " on ", output("W"), ", ", needed_input("CurrentDate")
)
SHOW_SAMPLE = samples(*TWO_ACTIONS, ("showresult", {"Text": SHOWN_TEXT}))[2]


def counts_of_text(*parts: str | dict[str, Plain]) -> dict[str, float]:
    """Return the counts of a `showresult` action with this text."""
    return counts(SHOW_SAMPLE, written_action("showresult", Text=text(*parts)))


ALL = {"api": 1, "static_gold": 1, "static_seen": 1, "previous_gold": 2, "previous_seen": 2}
ALL |= {"input_gold": 1, "input_seen": 1}
RIGHT = {"static_right": 1, "previous_right": 2, "input_right": 1}


def test_every_token_and_the_words_of_a_text_count() -> None:
    now = needed_input("CurrentDate")
    start = "\U0001f36f At "
    battery, net = output("B"), output("W")
    assert counts_of_text(start, battery, " on ", net, ", ", now) == ALL | RIGHT | {"exact": 1}
    assert counts_of_text(start, net, " on ", net, ", ", now) == ALL | RIGHT | {"previous_right": 1}
    assert counts_of_text(start, net, " on ", battery, ", ", now) == ALL | RIGHT | {
        "previous_right": 1
    }
    assert counts_of_text(start, " on ", net, ", ", now) == ALL | RIGHT | {"previous_right": 1}
    token_counts = counts_of_text("In ", battery, " on ", net, ", ", now)
    assert token_counts == {k: v for k, v in (ALL | RIGHT).items() if k != "static_right"}
    assert "input_right" not in counts_of_text(
        start, battery, " on ", net, ", ", needed_input("Ask")
    )
    extra = written_action("showresult", Text=text(start, battery, " on ", net, ", ", now, battery))
    assert counts(SHOW_SAMPLE, extra) == ALL | RIGHT
    assert outcome(SHOW_SAMPLE, extra) == "extra_reference"


def test_published_rules_ignore_tokens_inside_a_text() -> None:
    prediction = written_action(
        "showresult",
        Text=text("\U0001f36f At ", output("W"), " on ", output("B"), ", ", needed_input("Ask")),
    )
    assert counts(SHOW_SAMPLE, prediction, "published") == {
        "api": 1, "static_gold": 1, "static_seen": 1, "static_right": 1, "exact": 1,
    }  # fmt: skip


def test_tokens_of_structures_are_compared_by_key() -> None:
    wifi_field: Plain = {"WFItemType": 0, "WFKey": "to", "WFValue": output("W")}
    variable_field: Plain = {"WFItemType": 0, "WFKey": "by", "WFValue": variable("me")}
    fields: Plain = {
        "Value": {"WFDictionaryFieldValueItems": [wifi_field, variable_field]},
        "WFSerializationType": "WFDictionaryFieldValue",
    }
    sample = samples(*TWO_ACTIONS, ("dictionary", {"WFItems": fields}))[2]
    assert (
        counts(
            sample, written_action("dictionary", WFItems={"by": variable("me"), "to": output("W")})
        )["previous_right"]
        == 2
    )
    assert "previous_right" not in counts(
        sample, written_action("dictionary", WFItems={"to": variable("me"), "by": output("W")})
    )


def test_variables_are_compared_by_name() -> None:
    (sample,) = samples(("showresult", {"Text": variable("Hens")}))
    assert outcome(sample, written_action("showresult", Text=variable("Hens"))) == "right"
    assert (
        outcome(sample, written_action("showresult", Text=variable("Geese"))) == "wrong_reference"
    )
    assert not any(
        "previous" in name for name in counts(sample, written_action("showresult"), "published")
    )


def key_aggrandizement(name: str) -> list[Plain]:
    return [{"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": name}]


def test_part_of_a_result_counts_unlike_its_cast() -> None:
    gold = output("W", Aggrandizements=key_aggrandizement("name"))
    sample = samples(*TWO_ACTIONS, ("showresult", {"Text": gold}))[2]
    assert outcome(sample, written_action("showresult", Text=output("W"))) == "wrong_part"
    assert outcome(sample, written_action("showresult", Text=output("W")), "published") == "right"
    cast: list[Plain] = [
        *key_aggrandizement("name"),
        {"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "X"},
    ]
    assert (
        outcome(sample, written_action("showresult", Text=output("W", Aggrandizements=cast)))
        == "right"
    )


def test_wrapper_needs_no_serialization_type() -> None:
    bare: Plain = {"Type": "ActionOutput", "OutputUUID": "W"}
    sample = samples(*TWO_ACTIONS, ("showresult", {"Text": output("W", "Net")}))[2]
    for wrapper in (bare, {"Value": bare}):
        assert outcome(sample, written_action("showresult", Text=wrapper)) == "right"


def test_empty_wrapper_is_no_value() -> None:
    (sample,) = samples(("showresult", {"Text": {"WFSerializationType": "WFTextTokenString"}}))
    assert outcome(sample, written_action("showresult", Text={})) == "right"
    assert "static_gold" not in counts(sample, written_action("showresult"))


def test_repeated_id_refers_to_the_last_earlier_action() -> None:
    actions_of_equal_id: tuple[Draft, ...] = (
        ("getwifi", {"UUID": "W"}),
        ("getbattery", {"UUID": "W"}),
    )
    sample = samples(*actions_of_equal_id, ("showresult", {"Text": output("W")}))[2]
    assert sample.example.calls[2].arguments[0].value == Ref(1)
    first = Call("", sample.example.calls[2].api, (Argument("Text", Ref(0)),))
    assert outcome(sample, BENCHMARK.output_of(sample, [first])) == "wrong_reference"


def test_result_without_producer_is_not_scored() -> None:
    (sample,) = samples(("showresult", {"Text": output("GONE", "Net")}))
    assert "previous_gold" not in counts(sample, written_action("showresult"))
    assert counts(sample, written_action("showresult"), "published")["previous_gold"] == 1
    gold_output = BENCHMARK.output_of(sample, sample.example.calls)
    assert outcome(sample, gold_output, "published") == outcome(sample, gold_output) == "right"


@pytest.mark.parametrize(
    "value",
    [
        {"string": "jam"},
        {"Value": 3, "WFSerializationType": "x"},
        {"Type": "Ask"},
        {"Type": "Variable", "Variable": ["jam"]},
        {"a": {"WFItemType": 1, "WFValue": "jam"}, "b": {}},
        [],
        {},
        [[1], {"a": None}],
        Composed(("a\ufffcb", RuntimeValue("input", "Ask", "property(Name)"), "c")),
        Ref(0, "Net", "key(a).b).property(c)"),
        RuntimeValue("variable", "Repeat Item", "key()"),
        "",
    ],
)
def test_written_value_reads_back_equal(value: Value) -> None:
    call = Call("", "is.workflow.actions.showresult", (Argument("Text", value),))
    labels = labels_of(("W", ""))
    written = structure_of(call, labels, 1)
    read = read_prediction(written, labels, 1)
    assert read is not None
    assert read.values == {"Text": value}
