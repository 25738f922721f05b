"""Tests of the audit: mutations change outputs as intended, and it detects a careless scorer."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.audit.mutation import Subject
from benchloom.evaluate.audit.mutations import MUTATIONS
from benchloom.evaluate.audit.report import audit
from benchloom.evaluate.benchmark import Judged, Rules, Sample
from benchloom.evaluate.benchmarks.nestful import BENCHMARK
from benchloom.exchange.examples import Call, Ref
from tests.benchloom.evaluate.nestful.samples import HALVES, TOOLS, TRIP, call
from tests.benchloom.evaluate.test_damaged_gold import write_lines

BOATS = [
    call("ferry", 1, harbour="Rostock, the old one", day=4),
    call("ferry", 2, harbour="Lomm", day=2),
    call("cabin", 3, boat="$var_1.boat$", time="noon"),
]

APPLICABLE = set(MUTATIONS) - {"labels_renumbered"}


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    records = [
        {"sample_id": f"n{number}", "input": "Please.", "output": calls, "tools": TOOLS}
        for number, calls in enumerate((BOATS, TRIP, HALVES))
    ]
    write_lines(tmp_path / "gold", records)
    return tmp_path / "gold"


@pytest.fixture
def subject(gold: Path) -> Subject:
    sample, other_sample, _ = BENCHMARK.read_gold(gold)
    return Subject(BENCHMARK, sample, sample.example.calls, 0, other_sample)


def names(output: Plain) -> object:
    """Return the sorted names of the calls, or the output itself if it is no list of calls."""
    if not isinstance(output, list):
        return output
    return sorted(str(entry["name"]) for entry in output if isinstance(entry, dict))


def test_audit_detects_a_careless_scorer(gold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original_judge = BENCHMARK.judge

    def careless(sample: Sample, output: Plain, rules: Rules) -> Judged:
        """Accept any arguments if the names of the calls are right."""
        right = BENCHMARK.output_of(sample, sample.example.calls)
        return original_judge(sample, right if names(output) == names(right) else output, rules)

    assert audit("nestful", BENCHMARK, gold).broken == 0
    monkeypatch.setattr(BENCHMARK, "judge", careless)
    audit_report = audit("nestful", BENCHMARK, gold)
    assert {row.mutation for row in audit_report.rows if row.samples} == APPLICABLE
    assert {row.mutation for row in audit_report.rows if row.broken} == {
        "argument_dropped",
        "extra_argument",
        "other_producer",
        "value_blanked",
        "value_cut",
        "values_swapped",
        "wrong_type",
    }


@pytest.mark.parametrize("name", sorted(APPLICABLE))
def test_mutation_changes_only_the_output(name: str, subject: Subject) -> None:
    before = msgspec.structs.replace(subject.sample.example)
    mutation = MUTATIONS[name]
    first = mutation.changed(subject, Random(1))
    assert first is not msgspec.UNSET
    assert first == mutation.changed(subject, Random(1))
    assert subject.sample.example == before
    if name != "gold":
        assert str(first) != str(BENCHMARK.output_of(subject.sample, subject.calls))


def test_reordered_calls_keep_their_references(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    reordered_plans: list[tuple[Call, ...]] = []
    monkeypatch.setattr(
        BENCHMARK, "output_of", lambda _, calls: reordered_plans.append(tuple(calls))
    )
    for start in range(20):
        MUTATIONS["calls_reordered"].changed(subject, Random(start))
    referenced_arguments = [
        calls[argument.value.step].arguments
        for calls in reordered_plans
        for plan_call in calls
        for argument in plan_call.arguments
        if isinstance(argument.value, Ref)
    ]
    assert referenced_arguments == [subject.calls[0].arguments] * 20
    assert {calls.index(subject.calls[0]) for calls in reordered_plans} == {0, 1}
