"""The audit: mutations change what they say they change, and a scorer that is wrong is told."""

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
from tests.benchloom.evaluate.test_damaged_gold import lines

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
    lines(tmp_path / "gold", records)
    return tmp_path / "gold"


@pytest.fixture
def subject(gold: Path) -> Subject:
    sample, other, _ = BENCHMARK.read_gold(gold)
    return Subject(BENCHMARK, sample, sample.example.calls, 0, other)


def names(output: Plain) -> object:
    """The names of calls, or an output that is none."""
    if not isinstance(output, list):
        return output
    return sorted(str(entry["name"]) for entry in output if isinstance(entry, dict))


def test_a_careless_scorer_is_told(gold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = BENCHMARK.judge

    def careless(sample: Sample, output: Plain, rules: Rules) -> Judged:
        """Take any calls of the right names."""
        right = BENCHMARK.output_of(sample, sample.example.calls)
        return careful(sample, right if names(output) == names(right) else output, rules)

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
def test_a_mutation_changes_the_output_and_nothing_else(name: str, subject: Subject) -> None:
    before = msgspec.structs.replace(subject.sample.example)
    mutation = MUTATIONS[name]
    first = mutation.changed(subject, Random(1))
    assert first is not msgspec.UNSET
    assert first == mutation.changed(subject, Random(1))
    assert subject.sample.example == before
    if name != "gold":
        assert str(first) != str(BENCHMARK.output_of(subject.sample, subject.calls))


def test_exchanged_calls_keep_their_references(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Call, ...]] = []
    monkeypatch.setattr(BENCHMARK, "output_of", lambda _, calls: seen.append(tuple(calls)))
    for start in range(20):
        MUTATIONS["calls_reordered"].changed(subject, Random(start))
    booked = [
        calls[argument.value.step].arguments
        for calls in seen
        for plan_call in calls
        for argument in plan_call.arguments
        if isinstance(argument.value, Ref)
    ]
    assert booked == [subject.calls[0].arguments] * 20
    assert {calls.index(subject.calls[0]) for calls in seen} == {0, 1}
