"""Tests of gold without calls: an output that calls nothing is right, and any call is wrong."""

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks import appbench, nestful
from tests.benchloom.exchange.examples.sample import example

EXAMPLE_WITHOUT_CALLS = msgspec.structs.replace(example(), request="Sing.", calls=())
SAMPLE = Sample(sample_id="1", example=EXAMPLE_WITHOUT_CALLS, level="0", category="")
BENCHMARKS = {"nestful": nestful.BENCHMARK, "appbench": appbench.BENCHMARK}
OUTPUTS_WITHOUT_CALLS: tuple[Plain, ...] = (
    [],
    "[]",
    "",
    None,
    "None of these tools sings.",
    "<think>[x]</think>No.",
)
OUTPUTS_WITH_CALLS: tuple[Plain, ...] = (
    '[{"name": "Bistros.Find", "arguments": {}}]',
    "Bistros: name = bistros_find(#city='Lomm')",
    "[Find(city='Lomm')]",
    '{"name": "Find"',
)


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("output", OUTPUTS_WITHOUT_CALLS)
def test_output_without_calls_is_right(name: str, output: Plain) -> None:
    judgement = BENCHMARKS[name].judge(SAMPLE, output, "right")
    assert judgement.outcome == "right"
    assert all(
        judgement.counts[word] == 1 for word in ("full", "success") if word in judgement.counts
    )


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("output", OUTPUTS_WITH_CALLS)
def test_any_call_is_wrong(name: str, output: Plain) -> None:
    judgement = BENCHMARKS[name].judge(SAMPLE, output, "right")
    assert judgement.outcome != "right"
    words = ("full", "success", "recall", "partial")
    assert all(judgement.counts[word] == 0 for word in words if word in judgement.counts)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_output_without_calls_is_wrong_if_gold_has_calls(name: str) -> None:
    sample = Sample(sample_id="1", example=example(), level="2", category="")
    for output in OUTPUTS_WITHOUT_CALLS:
        assert BENCHMARKS[name].judge(sample, output, "right").outcome != "right"
