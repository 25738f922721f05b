"""Tests of small AppBench cases whose scores follow from the definitions of the metrics."""

from collections.abc import Sequence

import pytest

from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.exchange.examples import Argument, Call, Ref
from tests.benchloom.evaluate.appbench.samples import (
    BOTH,
    FERRY,
    POTTERY,
    call,
    sample,
    scores,
    shift_references,
)


def calls_of(apis: str, app: str = "Ferries") -> tuple[Call, ...]:
    return tuple(call(app, api) for api in apis)


def plan_text(calls: Sequence[Call]) -> str:
    return BENCHMARK.text_of(sample(calls), calls)


@pytest.mark.parametrize(
    ("predicted", "gold", "rules", "expected"),
    [
        ("abc", "abc", "right", 1),
        ("abc", "abc", "published", 1 / 3),
        ("aa", "ab", "right", 0.5),
        ("aa", "ab", "published", 0.5),
        ("xa", "a", "right", 2 / 3),
        ("xa", "a", "published", 2 / 3),
        ("x", "a", "right", 0),
        ("", "a", "right", 0),
        ("ba", "ab", "right", 1),
        ("a", "abc", "published", 0.5),
    ],
)
def test_f1_of_apis(predicted: str, gold: str, rules: Rules, expected: float) -> None:
    output = BENCHMARK.output_of(sample(calls_of(gold)), calls_of(predicted))
    assert scores(calls_of(gold), output, rules)["f1_api"] == pytest.approx(expected)


@pytest.mark.parametrize("rules", ["right", "published"])
def test_f1_of_apps(rules: Rules) -> None:
    metrics = scores(
        calls_of("a", "Rents"), "Rents: [x = Rents_a()]\nRents: [x = Rents_a()]", rules
    )
    assert metrics["f1_app"] == pytest.approx(2 / 3)
    assert metrics["em_app"] == 0


TWO_PIERS = (
    call("Ferries", "findpier", city="Port Ellery"),
    call("Ferries", "findpier", city="Grey Sound"),
    call("Ferries", "bookferry", ferry=Ref(0, "ferry")),
)


@pytest.mark.parametrize(
    ("gold", "predicted", "right", "published"),
    [
        (BOTH, BOTH, 1, 1),
        # Two independent components in the other order.
        (BOTH, (*POTTERY, *shift_references(FERRY, 2)), 1, 1),
        # Two independent components, interleaved.
        (
            BOTH,
            (
                BOTH[0],
                POTTERY[0],
                *shift_references(BOTH[1:2], 0),
                *shift_references(POTTERY[1:], 1),
            ),
            1,
            1,
        ),
        # The reference leads to the other call of the API.
        (TWO_PIERS, (*TWO_PIERS[:2], *shift_references(TWO_PIERS[2:], 1)), 0, 1),
        # Two calls exchanged, with an adapted reference; published compares the last call only.
        (TWO_PIERS, (TWO_PIERS[1], TWO_PIERS[0], *shift_references(TWO_PIERS[2:], 1)), 1, 0),
        # An empty value.
        (
            (call("Ferries", "findpier", city="Port Ellery"),),
            (call("Ferries", "findpier", city=""),),
            0,
            1,
        ),
        # A literal equal to the value of the result.
        (
            FERRY,
            (FERRY[0], call("Ferries", "bookferry", ferry="value of ferry", deck="upper")),
            0,
            1,
        ),
        # The name of an output as a literal.
        (FERRY, (FERRY[0], call("Ferries", "bookferry", ferry="ferry", deck="upper")), 0, 1),
        # The first of two calls of one API has a wrong value.
        (TWO_PIERS[:2], (call("Ferries", "findpier", city="zzz"), TWO_PIERS[1]), 0, 1),
        (TWO_PIERS[:2], (TWO_PIERS[0], call("Ferries", "findpier", city="zzz")), 0, 0),
        # Numbers are equal however they are spelt; other texts are not.
        ((call("A", "b", n="4"),), (call("A", "b", n="4.0"),), 1, 1),
        ((call("A", "b", n="04:00"),), (call("A", "b", n="4:00"),), 0, 1),
    ],
)
@pytest.mark.parametrize("as_text", [False, True])
def test_success_of_each_prediction(
    gold: Sequence[Call],
    predicted: Sequence[Call],
    right: float,
    published: float,
    *,
    as_text: bool,
) -> None:
    gold_sample = sample(gold)
    output = plan_text(predicted) if as_text else BENCHMARK.output_of(gold_sample, predicted)
    if not as_text:
        assert scores(gold, output, "published")["success"] == published
    assert scores(gold, output)["success"] == right


@pytest.mark.parametrize(
    ("changed_calls", "kind"),
    [
        ((FERRY[0],), "missing_call"),
        ((*FERRY, FERRY[0]), "extra_call"),
        ((call("Ferries", "findpier", city="Port Ellery"), FERRY[1]), "missing_argument"),
        (
            (call("Ferries", "findpier", city="Port Ellery", riders="2", day="1"), FERRY[1]),
            "extra_argument",
        ),
        ((call("Ferries", "findpier", city="", riders="2"), FERRY[1]), "blank_value"),
        ((call("Ferries", "findpier", city="P", riders="2"), FERRY[1]), "wrong_value"),
        (
            (FERRY[0], call("Ferries", "bookferry", ferry="ferry", deck="upper")),
            "literal_for_reference",
        ),
        (
            (FERRY[0], call("Ferries", "bookferry", ferry=Ref(0, "ferry"), deck=Ref(0, "pier"))),
            "reference_for_literal",
        ),
        (
            (FERRY[0], call("Ferries", "bookferry", ferry=Ref(0, "pier"), deck="upper")),
            "wrong_output",
        ),
        (
            (
                FERRY[0],
                Call(
                    "Ferries",
                    "bookferry",
                    (*FERRY[1].arguments, Argument("deck", "upper")),
                    returns=FERRY[1].returns,
                ),
            ),
            "repeated_argument",
        ),
    ],
)
def test_finding_names_the_kind_of_fault(changed_calls: Sequence[Call], kind: str) -> None:
    gold_sample = sample(FERRY)
    for output in (
        BENCHMARK.output_of(gold_sample, changed_calls),
        BENCHMARK.text_of(gold_sample, changed_calls),
    ):
        judgement = BENCHMARK.judge(gold_sample, output, "right")
        assert {finding.kind for finding in judgement.findings} == {kind}
        assert judgement.counts["success"] == 0
        assert judgement.outcome in BENCHMARK.outcomes


def test_reference_to_another_producer_is_a_finding() -> None:
    gold_sample = sample(TWO_PIERS)
    changed_calls = (*TWO_PIERS[:2], *shift_references(TWO_PIERS[2:], 1))
    judgement = BENCHMARK.judge(
        gold_sample, BENCHMARK.output_of(gold_sample, changed_calls), "right"
    )
    assert [finding.kind for finding in judgement.findings] == ["wrong_producer"]
    assert judgement.outcome == "wrong_references"
