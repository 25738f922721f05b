"""Results, variables and needs for input inside texts and structures."""

import pytest

from benchloom.core.records.values import Plain, Value
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.benchmarks.shortcuts.predictions import read_prediction
from benchloom.evaluate.benchmarks.shortcuts.structure import structure_of
from benchloom.exchange.examples import Argument, Call, Composed, Ref, RuntimeValue
from tests.benchloom.evaluate.shortcuts.drafts import (
    Draft,
    acted,
    counts,
    needed,
    outcome,
    output,
    samples,
    text,
    variable,
)

TWO: tuple[Draft, ...] = (
    ("getwifi", {"UUID": "W", "CustomOutputName": "Net"}),
    ("getbattery", {"UUID": "B"}),
)
SHOWN = text("\U0001f36f At ", output("B"), " on ", output("W"), ", ", needed("CurrentDate"))
SHOW = samples(*TWO, ("showresult", {"Text": SHOWN}))[2]


def show(*parts: str | dict[str, Plain]) -> dict[str, float]:
    return counts(SHOW, acted("showresult", Text=text(*parts)))


ALL = {"api": 1, "static_gold": 1, "static_seen": 1, "previous_gold": 2, "previous_seen": 2}
ALL |= {"input_gold": 1, "input_seen": 1}
RIGHT = {"static_right": 1, "previous_right": 2, "input_right": 1}


def test_every_token_of_a_text_counts_and_the_words_around_them() -> None:
    now = needed("CurrentDate")
    start = "\U0001f36f At "
    battery, net = output("B"), output("W")
    assert show(start, battery, " on ", net, ", ", now) == ALL | RIGHT | {"exact": 1}
    assert show(start, net, " on ", net, ", ", now) == ALL | RIGHT | {"previous_right": 1}
    assert show(start, net, " on ", battery, ", ", now) == ALL | RIGHT | {"previous_right": 1}
    assert show(start, " on ", net, ", ", now) == ALL | RIGHT | {"previous_right": 1}
    token_counts = show("In ", battery, " on ", net, ", ", now)
    assert token_counts == {k: v for k, v in (ALL | RIGHT).items() if k != "static_right"}
    assert "input_right" not in show(start, battery, " on ", net, ", ", needed("Ask"))
    extra = acted("showresult", Text=text(start, battery, " on ", net, ", ", now, battery))
    assert counts(SHOW, extra) == ALL | RIGHT
    assert outcome(SHOW, extra) == "extra_reference"


def test_published_looks_at_no_token_inside_a_text() -> None:
    other = acted(
        "showresult",
        Text=text("\U0001f36f At ", output("W"), " on ", output("B"), ", ", needed("Ask")),
    )
    assert counts(SHOW, other, "published") == {
        "api": 1, "static_gold": 1, "static_seen": 1, "static_right": 1, "exact": 1,
    }  # fmt: skip


def test_tokens_of_structures_are_known_by_their_keys() -> None:
    item: Plain = {"WFItemType": 0, "WFKey": "to", "WFValue": output("W")}
    more: Plain = {"WFItemType": 0, "WFKey": "by", "WFValue": variable("me")}
    fields: Plain = {
        "Value": {"WFDictionaryFieldValueItems": [item, more]},
        "WFSerializationType": "WFDictionaryFieldValue",
    }
    sample = samples(*TWO, ("dictionary", {"WFItems": fields}))[2]
    assert (
        counts(sample, acted("dictionary", WFItems={"by": variable("me"), "to": output("W")}))[
            "previous_right"
        ]
        == 2
    )
    assert "previous_right" not in counts(
        sample, acted("dictionary", WFItems={"to": variable("me"), "by": output("W")})
    )


def test_variables_are_results_known_by_name() -> None:
    (sample,) = samples(("showresult", {"Text": variable("Hens")}))
    assert outcome(sample, acted("showresult", Text=variable("Hens"))) == "right"
    assert outcome(sample, acted("showresult", Text=variable("Geese"))) == "wrong_reference"
    assert not any("previous" in name for name in counts(sample, acted("showresult"), "published"))


def key(name: str) -> list[Plain]:
    return [{"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": name}]


def test_the_part_of_a_result_counts_and_how_it_is_cast_does_not() -> None:
    gold = output("W", Aggrandizements=key("name"))
    sample = samples(*TWO, ("showresult", {"Text": gold}))[2]
    assert outcome(sample, acted("showresult", Text=output("W"))) == "wrong_part"
    assert outcome(sample, acted("showresult", Text=output("W")), "published") == "right"
    cast: list[Plain] = [
        *key("name"),
        {"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "X"},
    ]
    assert outcome(sample, acted("showresult", Text=output("W", Aggrandizements=cast))) == "right"


def test_wrappers_need_not_tell_their_type() -> None:
    bare: Plain = {"Type": "ActionOutput", "OutputUUID": "W"}
    sample = samples(*TWO, ("showresult", {"Text": output("W", "Net")}))[2]
    for wrapper in (bare, {"Value": bare}):
        assert outcome(sample, acted("showresult", Text=wrapper)) == "right"


def test_a_wrapper_without_anything_says_nothing() -> None:
    (sample,) = samples(("showresult", {"Text": {"WFSerializationType": "WFTextTokenString"}}))
    assert outcome(sample, acted("showresult", Text={})) == "right"
    assert "static_gold" not in counts(sample, acted("showresult"))


def test_an_id_that_two_actions_have_means_the_last_before() -> None:
    twice: tuple[Draft, ...] = (("getwifi", {"UUID": "W"}), ("getbattery", {"UUID": "W"}))
    sample = samples(*twice, ("showresult", {"Text": output("W")}))[2]
    assert sample.example.calls[2].arguments[0].value == Ref(1)
    first = Call("", sample.example.calls[2].api, (Argument("Text", Ref(0)),))
    assert outcome(sample, BENCHMARK.output_of(sample, [first])) == "wrong_reference"


def test_a_result_that_nothing_gives_is_asked_of_nobody() -> None:
    (sample,) = samples(("showresult", {"Text": output("GONE", "Net")}))
    assert "previous_gold" not in counts(sample, acted("showresult"))
    assert counts(sample, acted("showresult"), "published")["previous_gold"] == 1
    own = BENCHMARK.output_of(sample, sample.example.calls)
    assert outcome(sample, own, "published") == outcome(sample, own) == "right"


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
def test_what_is_written_reads_as_what_it_was(value: Value) -> None:
    call = Call("", "is.workflow.actions.showresult", (Argument("Text", value),))
    labels = labels_of(("W", ""))
    written = structure_of(call, labels, 1)
    read = read_prediction(written, labels, 1)
    assert read is not None
    assert read.values == {"Text": value}
