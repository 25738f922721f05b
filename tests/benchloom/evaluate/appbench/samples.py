"""Small plans for the tests of AppBench's evaluation."""

from collections.abc import Callable, Iterable, Sequence

from benchloom.core.records.values import Plain, Value
from benchloom.evaluate import Sample
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.exchange.examples import Argument, Call, Example, Ref
from tests.support.evaluation import metric_figures

RETURNS = {
    "findpier": ("pier", "ferry", "fare"),
    "bookferry": ("ferry", "deck", "fare"),
    "findkiln": ("kiln", "glaze"),
    "firepot": ("pot", "success_flag"),
}


def call(app: str, api: str, **arguments: Value) -> Call:
    call_arguments = tuple(
        Argument(name, value, f"value of {value.output}" if isinstance(value, Ref) else None)
        for name, value in arguments.items()
    )
    return Call(app, api, call_arguments, returns=RETURNS.get(api, ("answer",)))


def sample(calls: Sequence[Call]) -> Sample:
    example = Example(
        example_id="one",
        target_id="one",
        source="appbench",
        source_id="one",
        source_uri="test_mm.json",
        calls=tuple(calls),
        reference_mode="name",
    )
    return Sample(sample_id="one", example=example, level="MM")


def scores(gold: Sequence[Call], output: Plain, rules: Rules = "right") -> dict[str, float | None]:
    """Return the figures of a single sample."""
    return metric_figures(BENCHMARK, [BENCHMARK.judge(sample(gold), output, rules)], rules)


FERRY = (
    call("Ferries", "findpier", city="Port Ellery", riders="2"),
    call("Ferries", "bookferry", ferry=Ref(0, "ferry"), deck="upper"),
)
POTTERY = (
    call("Pottery", "findkiln", town="Larch Hill"),
    call("Pottery", "firepot", kiln=Ref(0, "kiln"), pot="jug, blue"),
)


def renumber_references(calls: Iterable[Call], number: Callable[[int], int]) -> tuple[Call, ...]:
    """Return the calls with each referenced step replaced by `number(step)`."""
    return tuple(
        Call(
            source_call.app,
            source_call.api,
            tuple(
                Argument(a.name, Ref(number(a.value.step), a.value.output), a.supplied)
                if isinstance(a.value, Ref)
                else a
                for a in source_call.arguments
            ),
            returns=source_call.returns,
        )
        for source_call in calls
    )


def shift_references(calls: Sequence[Call], by: int) -> tuple[Call, ...]:
    """Return the calls with each reference shifted by `by` steps."""
    return renumber_references(calls, lambda step: step + by)


BOTH = (*FERRY, *shift_references(POTTERY, 2))
