"""Tests of NESTFUL's scores of outputs, by the right and the published rules."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import RULES, Benchmark, Judged, Rules, Sample
from benchloom.evaluate.benchmarks.nestful import BENCHMARK
from tests.benchloom.evaluate.nestful.samples import (
    HALVES,
    TRIP,
    call,
    relabel_calls,
    sample_of,
    tool,
)
from tests.support.evaluation import metric_figures
from tests.support.shared_data import shared_file

A, B = TRIP
X = call("weather", 9, place="Rostock")


@pytest.fixture(scope="session")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return sample_of(tmp_path_factory.mktemp("trip"), TRIP)


@pytest.fixture(scope="session")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return sample_of(tmp_path_factory.mktemp("halves"), HALVES)


def figures(judgement: Judged, rules: Rules) -> dict[str, float | None]:
    return metric_figures(BENCHMARK, [judgement], rules)


def without_argument(entry: dict[str, Plain], name: str) -> dict[str, Plain]:
    arguments = entry["arguments"]
    assert isinstance(arguments, dict)
    return {**entry, "arguments": {key: value for key, value in arguments.items() if key != name}}


@pytest.mark.parametrize(
    ("output", "right", "published", "outcome"),
    [
        ([A, B], (1, 1, 1), (1, 1), "right"),
        ([A, without_argument(B, "time")], (0.5, 0.5, 0), (0.5, 0), "wrong_parameters"),
        ([X, A, B], (2 / 3, 1, 0), (0, 0), "wrong_functions"),
        ([B, A], (0.5, 0.5, 0), (0, 0), "wrong_references"),
        (relabel_calls(TRIP, 6), (1, 1, 1), (1, 1), "right"),
        ([A], (0.5, 0.5, 0), (0.5, 0), "wrong_functions"),
        ([A, A, B], (2 / 3, 1, 0), (1 / 4, 0), "wrong_functions"),
        ([A, call("cabin", 2, boat="$var_1.price$", time="noon")], (0.5, 0.5, 0), (0.5, 0), None),
        ([A, call("cabin", 2, boat="the boat", time="noon")], (0.5, 0.5, 0), (0.5, 0), None),
        ([call("ferry", 1, day=3.0, harbour="Rostock"), B], (1, 1, 1), (0.5, 0), "right"),
        ([call("ferry", 1, day="3", harbour="Rostock"), B], (0.5, 0.5, 0), (1, 1), None),
        ([], (0, 0, 0), (0, 0), "no_calls"),
        ("I cannot help with that.", (0, 0, 0), (0, 0), "unparseable"),
        ({"calls": []}, (0, 0, 0), (0, 0), "unparseable"),
        ([A, {"arguments": {}}], (0, 0, 0), (0, 0), "unparseable"),
        ([A, {"name": "cabin", "arguments": [1]}], (0, 0, 0), (0, 0), "unparseable"),
        (f"```json\n{json.dumps(TRIP)}\n```", (1, 1, 1), (0, 0), "right"),
        (f"```\n{json.dumps(TRIP)}\n```", (1, 1, 1), (1, 1), "right"),
        (f"Here: {json.dumps(TRIP)}", (1, 1, 1), (0, 0), "right"),
    ],
)
def test_partial_and_full_match(
    trip: Sample,
    output: Plain,
    right: tuple[float, float, float],
    published: tuple[float, float],
    outcome: str | None,
) -> None:
    judgement = BENCHMARK.judge(trip, output, "right")
    metrics = figures(judgement, "right")
    assert (metrics["partial_match"], metrics["recall"], metrics["full_match"]) == pytest.approx(
        right
    )
    if outcome:
        assert judgement.outcome == outcome
    published_judgement = BENCHMARK.judge(trip, output, "published")
    published_metrics = figures(published_judgement, "published")
    assert (published_metrics["partial_match"], published_metrics["full_match"]) == pytest.approx(
        published
    )
    assert {judgement.outcome, published_judgement.outcome} <= BENCHMARK.outcomes.keys()


def test_unknown_function_lowers_f1_by_right_rules_only(tmp_path: Path) -> None:
    sample = sample_of(tmp_path, [A])
    output: Plain = [A, call("zebra", 2, colour="grey")]
    metrics = figures(BENCHMARK.judge(sample, output, "right"), "right")
    assert metrics["f1_function"] == pytest.approx(2 / 3)
    assert metrics["f1_parameter"] == pytest.approx(0.8)
    published_metrics = figures(BENCHMARK.judge(sample, output, "published"), "published")
    assert (published_metrics["f1_function"], published_metrics["f1_parameter"]) == (1, 1)


def test_macro_f1_averages_over_gold_classes(trip: Sample) -> None:
    published_metrics = figures(BENCHMARK.judge(trip, [A, X], "published"), "published")
    assert published_metrics["f1_function"] == 0.5
    assert figures(BENCHMARK.judge(trip, [A, X], "right"), "right")["f1_function"] == 0.5


def test_published_slots_keep_the_last_call_per_function(halves: Sample) -> None:
    changed_calls: list[Plain] = [*HALVES]
    changed_calls[1] = call("half", 2, number=8)
    metrics = figures(BENCHMARK.judge(halves, changed_calls, "right"), "right")
    published_metrics = figures(BENCHMARK.judge(halves, changed_calls, "published"), "published")
    assert (metrics["f1_parameter"], published_metrics["f1_parameter"]) == (0.8, 1)


@pytest.mark.parametrize(
    ("output", "matched"),
    [
        (HALVES, 4),
        ([HALVES[1], HALVES[0], *HALVES[2:]], 4),
        ([*HALVES[:3], call("sum_of", 4, left="$var_3.result$", right="$var_1.result$")], 3),
        ([*HALVES[:3], call("sum_of", 4, left="$var_2.result$", right="$var_3.result$")], 3),
        ([HALVES[0], call("half", 2, amount=9), *HALVES[2:]], 3),
        ([HALVES[0], *HALVES[2:]], 2),
    ],
)
def test_equal_calls_are_distinguished_by_their_consumers(
    halves: Sample, output: list[Plain], matched: int
) -> None:
    judgement = BENCHMARK.judge(halves, output, "right")
    assert judgement.counts["recall"] * 4 == matched


@pytest.mark.parametrize(
    ("output", "kinds"),
    [
        ([A, without_argument(B, "time")], ["missing_argument"]),
        ([A, {**B, "arguments": {"boat": "$var_1.price$", "time": "noon"}}], ["wrong_reference"]),
        ([call("ferry", 1, harbour="Kiel", day=3), B], ["wrong_value"]),
        ([call("ferry", 1, harbour="Rostock", day=True), B], ["wrong_value"]),
        ([A, X], ["missing_call", "extra_call"]),
        ([A, B, call("zebra", 3)], ["unknown_function"]),
    ],
)
def test_findings_name_the_kind_of_fault(trip: Sample, output: Plain, kinds: list[str]) -> None:
    assert [finding.kind for finding in BENCHMARK.judge(trip, output, "right").findings] == kinds


HOSTILE: list[Plain] = [
    "[" * 50_000,
    '[{"name":' * 10_000,
    '[{"name":"half","arguments":{"amount":"' + "$var_1." * 14_000 + '"}}]',
    [call("half", number, amount=8) for number in range(1000)],
    [call("half", number, amount=f"$var_{number - 1}.result$") for number in range(1000)],
    [call("half", 1, amount=8)] * 1001,
    [{"name": "half", "arguments": {"amount": "x" * 100_000}}],
]


@pytest.mark.parametrize("output", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_output_is_judged_within_a_second(halves: Sample, output: Plain) -> None:
    start = time.process_time()
    for rules in ("right", "published"):
        metrics = figures(BENCHMARK.judge(halves, output, rules), rules)
        assert all(value is None or 0 <= value <= 1 for value in metrics.values())
    assert time.process_time() - start < 1


CALLS = st.lists(
    st.sampled_from([*TRIP, *HALVES, X, call("zebra", 1), call("half", 2, amount=True)]),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(output=CALLS, offset=st.integers(1, 40))
def test_labels_do_not_change_bounded_figures(
    halves: Sample, output: list[dict[str, Plain]], offset: int
) -> None:
    judgement = BENCHMARK.judge(halves, list(output), "right")
    assert (
        BENCHMARK.judge(halves, relabel_calls(output, offset), "right").counts == judgement.counts
    )
    for rules in ("right", "published"):
        metrics = figures(BENCHMARK.judge(halves, list(output), rules), rules)
        assert all(value is None or 0 <= value <= 1 for value in metrics.values())


FUNCTIONS = """
def zero(number):
    return number - number

def one_over(number):
    return 1 / number

def take(from_, amount):
    return from_ - amount

def pair(number):
    return number, number
"""
OFFERED_TOOLS: Plain = [
    tool("zero", "number"),
    tool("one_over", "number"),
    tool("take", "from_", "amount"),
    tool("pair", "number", outputs=("left", "right")),
]


@pytest.fixture(scope="session")
def benchmark_with_tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Benchmark]:
    folder = tmp_path_factory.mktemp("functions")
    (folder / "tools.py").write_text(FUNCTIONS)
    with BENCHMARK.with_tools(folder) as benchmark:
        yield benchmark


def one_call(name: str, /, **arguments: Plain) -> list[dict[str, Plain]]:
    return [call(name, 1, **arguments)]


@pytest.mark.parametrize(
    ("gold", "answer", "output", "right", "published"),
    [
        (one_call("zero", number=4), 0, one_call("one_over", number=0), (0, 0), (0, 1)),
        (one_call("zero", number=4), 0, one_call("pair", number=0), (1, 0), (0, 1)),
        (
            one_call("take", from_=5, amount=3),
            2,
            one_call("take", amount=3, from_=5),
            (1, 1),
            (1, 0),
        ),
        (one_call("take", from_=5, amount=3), 2, one_call("take", other=5, more=3), (0, 0), (1, 1)),
        (one_call("one_over", number=6), 0.1666667, one_call("one_over", number=6), (1, 1), (1, 1)),
        (
            one_call("one_over", number=6),
            1 / 6,
            one_call("one_over", number=6.0000001),
            (1, 1),
            (1, 0),
        ),
        (
            one_call("one_over", number=6),
            1 / 6,
            one_call("one_over", number=6.0001),
            (1, 0),
            (1, 0),
        ),
        (one_call("one_over", number=1e7), 1e-7, one_call("one_over", number=1e7), (1, 1), (1, 0)),
        (one_call("zero", number=4), 0, one_call("one_over", number="4"), (0, 0), (0, 1)),
        (one_call("zero", number=4), 0, [], (0, 0), (0, 0)),
        (one_call("zero", number=4), 0, "no idea", (0, 0), (0, 0)),
        (one_call("zero", number=4), 0, one_call("zebra"), (0, 0), (0, 1)),
        (one_call("zero", number=4), 7, one_call("zero", number=4), (1, None), (1, 0)),
        (one_call("one_over", number=0), 7, one_call("one_over", number=0), (None, None), (0, 0)),
        (one_call("zebra"), 7, one_call("zebra"), (None, None), (None, None)),
        (one_call("zero", number=4), None, one_call("zero", number=4), (1, None), (1, None)),
    ],
)
def test_pass_rate_and_win_rate(  # noqa: PLR0917 - one row of the table
    tmp_path: Path,
    benchmark_with_tools: Benchmark,
    gold: list[dict[str, Plain]],
    answer: Plain,
    output: Plain,
    right: tuple[float | None, float | None],
    published: tuple[float | None, float | None],
) -> None:
    sample = sample_of(tmp_path, gold, answer, tools=OFFERED_TOOLS)
    tables: list[tuple[Rules, object]] = [("right", right), ("published", published)]
    for rules, expected in tables:
        metrics = figures(benchmark_with_tools.judge(sample, output, rules), rules)
        assert (metrics["pass_rate"], metrics["win_rate"]) == expected, rules


def test_other_calls_with_the_gold_answer_are_other_way(
    tmp_path: Path, benchmark_with_tools: Benchmark
) -> None:
    sample = sample_of(tmp_path, one_call("zero", number=4), 0, tools=OFFERED_TOOLS)
    judgement = benchmark_with_tools.judge(sample, [*one_call("take", from_=3, amount=3)], "right")
    assert judgement.outcome == "other_way"
    assert judgement.counts["full"] == 0


def test_without_functions_pass_and_win_rate_are_missing(trip: Sample) -> None:
    metrics = figures(BENCHMARK.judge(trip, [A, B], "right"), "right")
    assert (metrics["pass_rate"], metrics["win_rate"]) == (None, None)


def test_archive_gold_wins_unless_it_needs_the_network(tmp_path: Path) -> None:
    with ZipFile(shared_file("peers.zip")) as archive:
        (tmp_path / "gold.jsonl").write_bytes(archive.read("nestful/v2_toy_sample.jsonl"))
    wins = []
    with BENCHMARK.with_tools(shared_file("nestful_functions.zip")) as benchmark:
        for sample in benchmark.read_gold(tmp_path):
            output = benchmark.output_of(sample, sample.example.calls)
            wins.append(figures(benchmark.judge(sample, output, "right"), "right")["win_rate"])
    assert wins == [1, None, 1, 1]


@pytest.mark.parametrize("rules", ["right", "published"])
def test_archive_gold_is_a_full_match(tmp_path: Path, rules: Rules) -> None:
    counts = 0
    with ZipFile(shared_file("peers.zip")) as archive:
        names = [member for member in archive.namelist() if member.startswith("nestful/")]
        archive.extractall(tmp_path, names)
    folder = tmp_path / "nestful"
    for stem in ("executable", "non-executable-sgd"):
        for kind in ("data", "spec"):
            (tmp_path / stem).mkdir(exist_ok=True)
            (folder / f"{stem}-{kind}.json").rename(tmp_path / stem / f"{stem}-{kind}.json")
    gold_folders = [tmp_path / "executable", tmp_path / "non-executable-sgd", folder]
    for gold_folder in gold_folders:
        for sample in BENCHMARK.read_gold(gold_folder):
            gold = BENCHMARK.output_of(sample, sample.example.calls)
            text = BENCHMARK.text_of(sample, sample.example.calls)
            assert BENCHMARK.judge(sample, gold, rules).counts["full"] == 1
            assert BENCHMARK.judge(sample, text, rules).counts["full"] == 1
            counts += 1
    assert counts == 85 + 46 + 4


def test_published_gold_outputs_are_right(tmp_path: Path) -> None:
    with ZipFile(shared_file("peers.zip")) as archive:
        lines = archive.read("nestful/v2_toy_sample.jsonl")
    (tmp_path / "gold.jsonl").write_bytes(lines)
    outputs = [msgspec.json.decode(line)["output"] for line in lines.splitlines()]
    samples = [*BENCHMARK.read_gold(tmp_path)]
    for sample, output in zip(samples, outputs, strict=True):
        assert BENCHMARK.judge(sample, output, "right").outcome == "right"
        assert BENCHMARK.judge(sample, output, "published").outcome == "right"


@pytest.mark.parametrize("rules", RULES)
def test_answer_is_decoded_when_tools_are_json_texts(
    tmp_path: Path, benchmark_with_tools: Benchmark, rules: Rules
) -> None:
    gold = one_call("one_over", number=4)
    published: dict[str, Plain] = {"tools": json.dumps(OFFERED_TOOLS)}
    sample = sample_of(tmp_path, gold, "0.25", **published)
    assert sample.example.answer == 0.25
    metrics = figures(benchmark_with_tools.judge(sample, json.dumps(gold), rules), rules)
    assert metrics["win_rate"] == 1
    # An answer beside structures is kept as text, as benchloom's own export writes it.
    assert sample_of(tmp_path, gold, "0.25", tools=OFFERED_TOOLS).example.answer == "0.25"
    # An answer that is not JSON stays a text.
    assert sample_of(tmp_path, gold, "Rostock", **published).example.answer == "Rostock"
