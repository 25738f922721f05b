"""Tests of ShortcutsBench's scores for hostile outputs, and of the bounds of every output."""

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.records.values import Plain, Value
from benchloom.evaluate.benchmark import RULES, Rules, Sample
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.equality import key_of, published_same, same
from tests.benchloom.evaluate.shortcuts.drafts import (
    needed_input,
    output,
    samples,
    text,
    variable,
    written_action,
)

SAMPLES = samples(
    ("url", {"UUID": "U-1", "WFURLActionURL": "https://hens.example", "n": 3}),
    ("getwifi", {"UUID": "U-2", "CustomOutputName": "Net"}),
    ("showresult", {"Text": text("On ", output("U-2"), output("U-1", "URL"), needed_input("Ask"))}),
    ("openurl", {"WFInput": output("U-1", "URL"), "on": True, "who": variable("Me")}),
)
DEEP = "[" * 10_000
HOSTILE: list[Plain] = [
    "x" * 100_000,
    DEEP,
    '{"WFWorkflowActionIdentifier": "a", "WFWorkflowActionParameters": ' + '{"a":' * 10_000,
    "{" * 100_000,
    '{"a":"' * 20_000,
    None,
    [],
    [written_action("url"), written_action("url")],
    {},
    {"WFWorkflowActionIdentifier": 3},
    {"WFWorkflowActionIdentifier": "x", "WFWorkflowActionParameters": [1]},
    {"WFWorkflowActionIdentifier": "x", "WFWorkflowActionParameters": "no JSON"},
    "\ud800",
]


@pytest.mark.parametrize("prediction", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_output_is_unparseable_and_earns_nothing(prediction: Plain) -> None:
    start = time.process_time()
    for rules in RULES:
        judgement = BENCHMARK.judge(SAMPLES[2], prediction, rules)
        assert judgement.outcome == "unparseable"
        assert not any(v for k, v in judgement.counts.items() if not k.endswith("_gold"))
    assert time.process_time() - start < 3


@pytest.mark.parametrize("rules", RULES)
def test_large_parameters_take_little_time(rules: Rules) -> None:
    many_tokens = text(*[output("U-1")] * 3_000)
    nested: Plain = "x"
    for _ in range(400):
        nested = [nested]
    start = time.process_time()
    invalid_attachments: Plain = {"Value": {"string": "\ufffc" * 50_000, "attachmentsByRange": 3}}
    for value in (many_tokens, nested, invalid_attachments):
        assert BENCHMARK.judge(SAMPLES[2], written_action("showresult", Text=value), rules).counts[
            "api"
        ]
    assert time.process_time() - start < 2


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("sample", SAMPLES)
def test_gold_is_right_as_structure_or_text(sample: Sample, rules: Rules) -> None:
    gold_calls = [sample.example.calls[sample.position or 0]]
    call_text = BENCHMARK.text_of(sample, gold_calls)
    action = BENCHMARK.output_of(sample, gold_calls)
    surrounded_text = f"Thought: I go on.\n```json\n{call_text}\n```\nThat is {{all}}."
    parameters = msgspec.json.encode(action["WFWorkflowActionParameters"]).decode()  # type: ignore[call-overload, index]  # an action is nested JSON
    as_text = {**action, "WFWorkflowActionParameters": parameters}  # type: ignore[dict-item]  # an action is nested JSON
    for prediction in (action, [action], call_text, surrounded_text, f"json {call_text}", as_text):
        assert BENCHMARK.judge(sample, prediction, rules).outcome == "right"


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([0.5, 3.0, 1e22]),
    st.sampled_from(["1", "1.0", "3.50", "3.5", "true", "True", "1e1", "007", "7", "", " 3", "x"]),
)


@settings(max_examples=60)
@given(SCALARS, SCALARS, SCALARS)
def test_equality_of_values_is_an_equivalence_relation(
    first: Value, second: Value, third: Value
) -> None:
    base, two, three = first, second, third
    assert same(base, base)
    assert same(base, two) == same(two, base)
    if same(base, two) and same(two, three):
        assert same(base, three)


@pytest.mark.parametrize(
    ("first", "second", "equal", "published"),
    [
        (3, "3", True, True),
        (3, "3.0", True, False),
        (3, 3.0, True, True),
        (True, "1", True, True),
        (True, 1, True, True),
        (False, 1, False, False),
        (True, "yes", False, False),
        (True, "true", True, False),
        ("3.50", "3.5", True, False),
        (3.5, "3.50", True, True),
        ("007", "7", False, False),
        ("Tea", "tea", False, False),
        ({"a": 1, "b": 2}, {"b": "2", "a": 1}, True, False),
        (10**30, "1e30", True, False),
        (1, None, False, False),
        ("tea", ["tea"], True, False),
        ("tea", ["tea", "jam"], False, False),
    ],
)
def test_equality_of_two_values(first: Value, second: Value, equal: bool, published: bool) -> None:
    assert same(first, second) == equal
    assert published_same(first, second) == published
    assert key_of(first) == key_of(first)


@settings(max_examples=40)
@given(st.data())
def test_counts_never_exceed_those_of_gold(data: st.DataObject) -> None:
    sample = data.draw(st.sampled_from(SAMPLES))
    name = data.draw(st.sampled_from(["url", "getwifi", "showresult", "openurl", "x"]))
    values = st.one_of(
        SCALARS,
        st.sampled_from([output("U-1"), output("U-2", "URL"), needed_input("Ask"), variable("Me")]),
    )
    names = st.sampled_from(["Text", "WFInput", "n", "on", "who"])
    parameters = data.draw(st.dictionaries(names, values))
    for rules in RULES:
        counts = BENCHMARK.judge(sample, written_action(name, **parameters), rules).counts
        for kind in ("static", "previous", "input"):
            right, compared, gold = (counts[f"{kind}_{what}"] for what in ("right", "seen", "gold"))
            assert 0 <= right <= compared <= gold
        assert counts["exact"] <= counts["api"] <= 1
