"""Tests of AppBench's gold: how it is read, and its figures on the published sample."""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate import Rules, Sample
from benchloom.evaluate.benchmark import RULES
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.evaluate.scoring import Summary, Tally
from tests.benchloom.evaluate.appbench.samples import BOTH, FERRY, sample
from tests.support.shared_data import shared_file

Record = dict[str, Any]


def write_plans(folder: Path, name: str, *plans: Record) -> Path:
    (folder / name).write_bytes(msgspec.json.encode(list(plans)))
    return folder


def test_published_file_name_gives_the_category(tmp_path: Path) -> None:
    output = BENCHMARK.output_of(sample(FERRY), FERRY)
    multi_app_output = BENCHMARK.output_of(sample(BOTH), BOTH)
    write_plans(tmp_path, "test_sm.json", {"input": "Book", "output": output})
    write_plans(
        tmp_path,
        "plans.json",
        {"input": "Both", "output": multi_app_output},
        {"output": multi_app_output},
    )
    gold_samples = list(BENCHMARK.read_gold(tmp_path))
    assert [gold_sample.level for gold_sample in gold_samples] == ["MM", "MM", "SM"]
    assert [gold_sample.example.request for gold_sample in gold_samples] == ["Both", None, "Book"]
    assert len({gold_sample.sample_id for gold_sample in gold_samples}) == 3
    assert [call.api for call in gold_samples[2].example.calls] == [call.api for call in FERRY]


def test_records_of_equal_id_get_different_sample_ids(tmp_path: Path) -> None:
    output = BENCHMARK.output_of(sample(FERRY), FERRY)
    record = {"dialogue_id": "d1", "split": "test", "category": "SM", "output": output}
    write_plans(tmp_path, "test.json", record, record)
    assert [gold_sample.sample_id for gold_sample in BENCHMARK.read_gold(tmp_path)] == [
        "d1",
        "d1#2",
    ]


def test_entry_of_several_calls_is_split(tmp_path: Path) -> None:
    output = BENCHMARK.output_of(sample(BOTH), BOTH)
    assert isinstance(output, dict)
    first, second, *others = msgspec.convert(output["used_api"], list[Record])
    joined = output | {"used_api": [first | second, *others]}
    write_plans(tmp_path, "test_mm.json", {"output": joined})
    (gold_sample,) = BENCHMARK.read_gold(tmp_path)
    assert len(gold_sample.example.calls) == len(BOTH)
    for prediction in (joined, output):
        assert BENCHMARK.judge(gold_sample, prediction, "right").outcome == "right"
    fewer = joined | {"used_app": ["Ferries", "Pottery", "Pottery"]}
    write_plans(tmp_path, "test_mm.json", {"output": fewer})
    (gold_sample,) = BENCHMARK.read_gold(tmp_path)
    assert [call.app for call in gold_sample.example.calls] == [call.app for call in BOTH]


def test_damaged_gold_raises(tmp_path: Path) -> None:
    write_plans(tmp_path, "test_ss.json", {"output": {"used_app": ["A"], "used_api": []}})
    with pytest.raises(RunError):
        list(BENCHMARK.read_gold(tmp_path))


@cache
def published_sample() -> tuple[list[Sample], list[Record]]:
    """Return the samples of the published file, and their outputs."""
    path = shared_file("appbench_gold_sample.json")
    rows = msgspec.json.decode(path.read_bytes())
    return list(BENCHMARK.read_gold(path)), [row["record"]["output"] for row in rows]


def summarise_changed(change: Callable[[Record], Any], rules: Rules) -> Summary:
    tally = Tally()
    for gold_sample, output in zip(*published_sample(), strict=True):
        tally.add(gold_sample, BENCHMARK.judge(gold_sample, change(deepcopy(output)), rules))
    return tally.summary("appbench", rules, BENCHMARK.metrics(rules), 0)


def change_values(make: Callable[[str], str]) -> Callable[[Record], Record]:
    """Return a change that replaces every literal in data and text; references become literals."""

    def change(output: Record) -> Record:
        for index, entry in enumerate(output["used_api"]):
            ((api, values),) = entry.items()
            new_values = {name: make(value) for name, value in values.items()}
            arguments_text = ", ".join(f"#{name}='{value}'" for name, value in new_values.items())
            output["used_api"][index] = {api: new_values}
            head = output["api_results"][index].partition("(")[0]
            output["api_results"][index] = f"{head}({arguments_text})"
        return output

    return change


def spoil_all_but_the_last_call(output: Record) -> Record:
    """Replace the arguments of all calls of an API except the last one."""
    last = {next(iter(entry)): index for index, entry in enumerate(output["used_api"])}
    for index, entry in enumerate(output["used_api"]):
        api = next(iter(entry))
        if last[api] != index:
            output["used_api"][index] = {api: {"zzz": "qqq"}}
            output["api_results"][index] = re.sub(
                r"\(.*\)$", "(#zzz='qqq')", output["api_results"][index]
            )
    return output


def metric_by_level(run_summary: Summary, metric: str) -> Mapping[str, float]:
    return {level: round(figures[metric], 4) for level, figures in run_summary.levels.items()}


def test_published_rules_count_one_hit_per_gold_sample() -> None:
    samples, _ = published_sample()
    right = summarise_changed(lambda output: output, "right")
    assert set(right.metrics.values()) == {1.0}
    published = summarise_changed(lambda output: output, "published")
    for level, count in published.level_samples.items():
        calls = sum(
            len(gold_sample.example.calls) for gold_sample in samples if gold_sample.level == level
        )
        assert published.levels[level]["f1_app"] == published.levels[level]["f1_api"]
        assert published.levels[level]["f1_api"] == pytest.approx(count / calls)
    assert metric_by_level(published, "f1_api") == {
        "SS": 1,
        "SM": 0.4286,
        "MS": 0.4545,
        "MM": 0.3333,
    }
    assert published.metrics["success"] == 1


def test_published_f1_rises_with_fewer_calls() -> None:
    def first(output: Record) -> Record:
        return {name: values[:1] for name, values in output.items() if isinstance(values, list)}

    assert metric_by_level(summarise_changed(first, "published"), "f1_api") == {
        "SS": 1,
        "SM": 0.6,
        "MS": 0.625,
        "MM": 0.5,
    }


@pytest.mark.parametrize(
    ("change", "right", "published"),
    [
        (change_values(lambda _: ""), 0, 1),
        # References become literals of one letter, which pass only as part of another value.
        (change_values(lambda value: value[:1]), 0, 39 / 73),
        (spoil_all_but_the_last_call, 60 / 73, 1),
    ],
    ids=["blank", "cut", "last call"],
)
def test_published_rules_accept_wrong_arguments(
    change: Callable[[Record], Record], right: float, published: float
) -> None:
    assert summarise_changed(change, "published").metrics["success"] == pytest.approx(published)
    metrics = summarise_changed(change, "right").metrics
    assert metrics["success"] == pytest.approx(right)
    assert metrics["f1_api"] == metrics["em_app"] == 1


def test_gold_in_the_published_text_form_is_right() -> None:
    samples, _ = published_sample()
    for gold_sample in samples:
        text = BENCHMARK.text_of(gold_sample, gold_sample.example.calls)
        assert BENCHMARK.judge(gold_sample, text, "right").outcome == "right"
        assert BENCHMARK.judge(gold_sample, text, "published").outcome == "right"


@pytest.mark.parametrize("rules", RULES)
def test_unreadable_outputs_stay_in_the_denominator(rules: Rules) -> None:
    texts = iter(["no plan"] * 40 + [""] * 33)
    run_summary = summarise_changed(lambda _: next(texts), rules)
    assert set(run_summary.metrics.values()) == {0.0}
    assert run_summary.figures["success"].denominator == 73
    assert run_summary.outcomes == {"unparseable": 73}
