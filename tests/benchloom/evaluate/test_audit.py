"""The audit: mutations change what they say they change, and a scorer that is wrong is told."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import pytest

from benchloom.core.records.values import Plain, rendered
from benchloom.evaluate import Benchmark, Metric, Rules, Sample
from benchloom.evaluate.audit.mutation import Subject
from benchloom.evaluate.audit.mutations import MUTATIONS
from benchloom.evaluate.audit.report import audit
from benchloom.evaluate.benchmark import Expected, Judged, Report, unreported
from benchloom.evaluate.statistics.metrics import Ratio
from benchloom.exchange.examples import Argument, Call, Example, Ref


def call(app: str, api: str, /, **values: object) -> Call:
    arguments = [Argument(name, msgspec.convert(value, object)) for name, value in values.items()]  # type: ignore[arg-type]  # values of any type
    return Call(app, api, tuple(arguments), returns=("id",))


CALLS = (
    call("Boats", "FindBoats", harbour="Osterby", seats=4),
    call("Boats", "FindBoats", harbour="Lomm", seats=2),
    call("Boats", "BookBoat", boat=Ref(0, "id"), day="2027-03-01"),
)


def alike(value: object) -> object:
    return float(value) if isinstance(value, int) else value


class Calls(Benchmark):
    """Takes calls as lists of name and arguments, in any order of independent ones."""

    title = "Say the calls again"
    outcomes: ClassVar[Mapping[str, str]] = {"right": "", "wrong": "", "unparseable": ""}
    expected_metrics: ClassVar[Mapping[str, Mapping[str, Expected]]] = {
        name: {"same": "zero"} for name in MUTATIONS
    }

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        del rules
        return (Ratio("same", "Share of the same calls", {"same": 1}, {"samples": 1}),)

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        del report
        for index, calls in enumerate((CALLS, CALLS[:1], CALLS[1:2])):
            example = Example(
                example_id=str(index),
                target_id="",
                source="",
                source_id="",
                source_uri=str(gold),
                calls=calls,
            )
            yield Sample(sample_id=str(index), example=example)

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        del rules
        gold = self._graph(self.output_of(sample, sample.example.calls))
        same = output != "" and (output == str(gold) or self._graph(output) == gold)
        return Judged("right" if same else "wrong", {"same": float(same)})

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        del sample
        arguments_by_call = [self._shown(plan_call, calls) for plan_call in calls]
        return [
            [plan_call.app, plan_call.api, arguments_by_call[index]]
            for index, plan_call in enumerate(calls)
        ]

    def _shown(self, one: Call, calls: Sequence[Call]) -> dict[str, Plain]:
        def tell(ref: Ref) -> str:
            producer_arguments = self._shown(calls[ref.step], calls)
            return str(sorted((name, alike(value)) for name, value in producer_arguments.items()))

        return {argument.name: rendered(argument.value, tell) for argument in one.arguments}

    def _graph(self, output: Plain) -> list[str]:
        if not isinstance(output, list):
            return [str(output)]
        entries = msgspec.convert(output, list[tuple[str, str, dict[str, object]]])
        return sorted(
            str([app, api, sorted((name, alike(value)) for name, value in values.items())])
            for app, api, values in entries
        )

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        return str(self._graph(self.output_of(sample, calls)))


class Careless(Calls):
    """Takes any call of the right name."""

    def _graph(self, output: Plain) -> list[str]:
        if not isinstance(output, list):
            return [str(output)]
        return sorted(str(entry[:2]) for entry in output if isinstance(entry, list))


def test_a_right_scorer_gives_every_mutation_its_due(tmp_path: Path) -> None:
    audit_report = audit("calls", Calls(), tmp_path)
    assert [(row.mutation, row.metrics) for row in audit_report.rows if row.broken] == []
    assert {row.mutation for row in audit_report.rows if row.samples} == set(MUTATIONS) - {
        "labels_renumbered"
    }


def test_a_careless_scorer_is_told(tmp_path: Path) -> None:
    audit_report = audit("calls", Careless(), tmp_path)
    assert {row.mutation for row in audit_report.rows if row.broken} == {
        "argument_dropped",
        "extra_argument",
        "other_producer",
        "shuffled",
        "value_blanked",
        "value_cut",
        "values_swapped",
        "wrong_type",
    }


@pytest.mark.parametrize("name", sorted(set(MUTATIONS) - {"labels_renumbered"}))
def test_a_mutation_changes_the_output_and_nothing_else(name: str, tmp_path: Path) -> None:
    benchmark = Calls()
    samples = list(benchmark.read_gold(tmp_path))
    subject = Subject(benchmark, samples[0], CALLS, 0, samples[1])
    mutation = MUTATIONS[name]
    first = mutation.changed(subject, Random(1))
    assert first is not msgspec.UNSET
    assert first == mutation.changed(subject, Random(1))
    assert samples[0].example.calls == CALLS
    if name != "gold":
        assert str(first) != str(benchmark.output_of(samples[0], CALLS))


def test_exchanged_calls_keep_their_references(tmp_path: Path) -> None:
    seen: list[tuple[Call, ...]] = []

    class Seeing(Calls):
        def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
            seen.append(tuple(calls))
            return super().output_of(sample, calls)

    benchmark = Seeing()
    sample = next(iter(benchmark.read_gold(tmp_path)))
    subject = Subject(benchmark, sample, CALLS, 0, sample)
    for start in range(20):
        MUTATIONS["calls_reordered"].changed(subject, Random(start))
    booked = [
        calls[argument.value.step].arguments[0].value
        for calls in seen
        for plan_call in calls
        for argument in plan_call.arguments
        if isinstance(argument.value, Ref)
    ]
    assert len(booked) == len(seen) == 20
    assert set(booked) == {"Osterby"}
    assert {calls.index(CALLS[0]) for calls in seen} >= {0, 1}
