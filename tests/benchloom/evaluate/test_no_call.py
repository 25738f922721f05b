"""Gold without calls: an output that calls nothing is right, and any call is wrong."""

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks import appbench, nestful
from tests.benchloom.exchange.examples.sample import example

UNCALLED = msgspec.structs.replace(example(), request="Sing.", calls=())
SAMPLE = Sample(sample_id="1", example=UNCALLED, level="0", category="")
BENCHMARKS = {"nestful": nestful.BENCHMARK, "appbench": appbench.BENCHMARK}
NOTHING: tuple[Plain, ...] = (
    [],
    "[]",
    "",
    None,
    "None of these tools sings.",
    "<think>[x]</think>No.",
)
CALLS: tuple[Plain, ...] = (
    '[{"name": "Bistros.Find", "arguments": {}}]',
    "Bistros: name = bistros_find(#city='Lomm')",
    "[Find(city='Lomm')]",
    '{"name": "Find"',
)


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("output", NOTHING)
def test_an_output_that_calls_nothing_is_right(name: str, output: Plain) -> None:
    judged = BENCHMARKS[name].judge(SAMPLE, output, "right")
    assert judged.outcome == "right"
    assert all(judged.counts[word] == 1 for word in ("full", "success") if word in judged.counts)


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("output", CALLS)
def test_any_call_is_wrong(name: str, output: Plain) -> None:
    judged = BENCHMARKS[name].judge(SAMPLE, output, "right")
    assert judged.outcome != "right"
    words = ("full", "success", "recall", "partial")
    assert all(judged.counts[word] == 0 for word in words if word in judged.counts)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_calling_nothing_is_wrong_where_gold_calls(name: str) -> None:
    sample = Sample(sample_id="1", example=example(), level="2", category="")
    for output in NOTHING:
        assert BENCHMARKS[name].judge(sample, output, "right").outcome != "right"
