"""Tests of API-Bank's scores for generated calls: they check bounds, sums and detected changes."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.records.values import Plain
from benchloom.evaluate.audit.report import audit
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample, as_gold_sample, samples_of
from benchloom.evaluate.benchmarks.api_bank.outcomes import CLASSES
from benchloom.exchange.examples import Argument, Call, Example, Turn
from benchloom.exchange.formats.api_bank.talks import checked_value
from tests.benchloom.evaluate.api_bank.talks import assistant, call, dialogue_samples, user, write

TEXTS = st.text(alphabet="ab '\"\\,=)]([{}:é\n7", max_size=10)
LEAVES = st.one_of(
    TEXTS, st.integers(-9, 10**9), st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), st.booleans()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(TEXTS.filter(bool), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(["time", "room", "who", "note"])
CALLS = st.text(alphabet="[](){}'\"=,: \nNotea1é", max_size=40)
ARGUMENTS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)
FORMS = ["[{}]", "API-Request: [{}]", "Sure.\n```\nAPI-Request: [{}]\n```", "[{}] is my call."]


def sample_of(arguments: dict[str, Plain]) -> GoldSample:
    bounded_arguments = tuple(
        Argument(name, checked_value(value)) for name, value in arguments.items()
    )
    example = Example(
        example_id="e",
        target_id="t",
        source="api-bank",
        source_id="T",
        source_uri="lv1/T.jsonl",
        calls=(Call("", "Note", bounded_arguments),),
        turns=(Turn("user", "Go", 0), Turn("assistant", "Done.", 1)),
    )
    return next(samples_of([example]))


def outcome(sample: GoldSample, output: Plain) -> str:
    judgement = BENCHMARK.judge(sample, output, "right")
    assert judgement.counts["calls"] == 1
    assert sum(judgement.counts.get(name, 0) for name in CLASSES) == judgement.counts.get(
        "errors", 0
    )
    assert judgement.counts.get("right", 0) + judgement.counts.get("errors", 0) == 1
    return judgement.outcome


def call_text(arguments: dict[str, Plain]) -> str:
    return f"Note({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


@given(ARGUMENTS, st.sampled_from(FORMS), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_gold_call_is_right_in_every_notation(
    arguments: dict[str, Plain], form: str, draw: Random
) -> None:
    sample = sample_of(arguments)
    assert outcome(sample, BENCHMARK.text_of(sample, sample.example.calls)) == "right"
    assert outcome(sample, BENCHMARK.output_of(sample, sample.example.calls)) == "right"
    names = list(arguments)
    draw.shuffle(names)
    assert (
        outcome(sample, form.format(call_text({key: arguments[key] for key in names}))) == "right"
    )
    nested: dict[str, Plain] = {
        name: repr(value) if isinstance(value, list | dict) else value
        for name, value in arguments.items()
    }
    assert outcome(sample, f"[{call_text(nested)}]") == "right"


@given(ARGUMENTS, st.data())
@settings(max_examples=60, deadline=None)
def test_every_changed_call_gets_its_error_class(
    arguments: dict[str, Plain], data: st.DataObject
) -> None:
    sample = sample_of(arguments)
    name = data.draw(st.sampled_from(sorted(arguments)))
    rest = {key: value for key, value in arguments.items() if key != name}
    assert outcome(sample, f"[{call_text(rest)}]") == "missing_argument"
    assert outcome(sample, f"[{call_text({**arguments, 'other': 1})}]") == "unknown_parameter"
    assert (
        outcome(sample, f"[{call_text(arguments)}]".replace("Note(", "Noted(", 1)) == "wrong_name"
    )
    changed: list[Plain] = [None, [arguments[name], "more"], {"value": arguments[name]}]
    for changed_value in changed:
        assert (
            outcome(sample, f"[{call_text({**arguments, name: changed_value})}]") == "wrong_value"
        )


@given(st.one_of(CALLS, VALUES, st.none()), st.sampled_from(RULES))
@settings(max_examples=60, deadline=None)
def test_any_output_gets_a_known_outcome(output: Plain, rules: str) -> None:
    sample = sample_of({"time": "noon", "who": ["Ida"]})
    judgement = BENCHMARK.judge(sample, output, rules)  # type: ignore[arg-type]  # a drawn text is one of the rules
    assert judgement.outcome in BENCHMARK.outcomes
    assert (
        judgement.counts.get("right", 0) + judgement.counts.get("errors", 0)
        == judgement.counts["calls"]
    )


PIECES = (
    "[a(x='", "[a(x=[", "'", '"', "[", "{", "[{'a':", "x=", "[A(x=1)]\n", "\\", "a=[", "a=b ",
    "[a(x='b'c'd', y=", "[Note(time=1,", "a. ", "```", '{"a":', "API-Request: ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_output_counts_as_one_error(piece: str) -> None:
    sample = sample_of({"time": "noon", "who": ["Ida"]})
    size = 100_000 // len(piece)
    for output in (piece * size, "[Note(time='" + piece * 2000, "[Note(time=" + piece * 2000):
        for rules in RULES:
            judgement = BENCHMARK.judge(sample, output, rules)
            assert judgement.counts["errors"] == judgement.counts["calls"] == 1


def test_plain_sample_converts_to_an_equal_gold_sample() -> None:
    sample = sample_of({"time": "noon"})
    for derived_sample in samples_of([sample.example]):
        plain = as_gold_sample(
            type(derived_sample).__base__(  # type: ignore[misc]  # the class before derivation
                sample_id="other",
                example=derived_sample.example,
                position=derived_sample.position,
                aspect=derived_sample.aspect,
            )
        )
        assert (plain.name, plain.arguments, plain.text) == (
            derived_sample.name,
            derived_sample.arguments,
            derived_sample.text,
        )


def test_audit_mutations_get_their_expected_error_class(tmp_path: Path) -> None:
    lines = (
        user("Ring the bell in the hall twice."),
        call("Ring", {"bell": "hall", "times": "2"}, "ok", {"bell": "hall", "times": 2}),
        assistant("The bell in the hall has been rung."),
        call("Note", {"who": "['Ida', 'Udo']", "time": "noon"}),
        call("Rest", {}),
        assistant("Everybody has been told."),
    )
    write(tmp_path / "lv1" / "A.jsonl", lines)
    audit_report = audit("api-bank", BENCHMARK, tmp_path)
    assert audit_report.broken == 0
    rows = [row for row in audit_report.rows if row.rules == "right" and row.samples]
    assert {row.metrics["correctness"] for row in rows} == {0, 1}
    classes = {
        "argument_dropped": "missing_argument",
        "call_dropped": "no_call",
        "call_renamed": "wrong_name",
        "empty": "no_call",
        "extra_argument": "unknown_parameter",
        "value_blanked": "exception",
        "value_cut": "exception",
        "values_swapped": "exception",
        "wrong_type": "exception",
    }
    for row in rows:
        shares = {name: row.metrics[f"errors_{name}"] for name in CLASSES}
        assert sum(shares.values()) == pytest.approx(row.metrics["errors"])
        if row.mutation not in {"cut_off", "shuffled"}:
            assert {name for name in shares if shares[name]} == {classes.get(row.mutation)} - {None}


def test_metrics_include_one_share_per_error_class(tmp_path: Path) -> None:
    samples = dialogue_samples(tmp_path, call("Ring", {"bell": "1"}), level=2)
    assert [metric.name for metric in BENCHMARK.metrics("right")] == [
        "correctness",
        "rouge_l",
        "errors",
        *(f"errors_{name}" for name in CLASSES),
    ]
    assert len(CLASSES) == 6
    assert samples[0].level == "level-2"
