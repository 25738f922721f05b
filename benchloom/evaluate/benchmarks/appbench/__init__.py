"""The benchmark AppBench: plan the API calls of several apps that fulfil one request."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import (
    Benchmark,
    Expected,
    Judged,
    Report,
    Rules,
    Sample,
    unreported,
)
from benchloom.evaluate.benchmarks.appbench import published, right, written_calls
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.benchmarks.appbench.outputs import calls_of
from benchloom.evaluate.gold import plan_examples, unique_name
from benchloom.evaluate.json_texts import calls_nothing
from benchloom.evaluate.statistics.metrics import Metric, Ratio
from benchloom.exchange.examples import Call, Example, Finding
from benchloom.normalise.plans.assembly import category_of

_CATEGORY = re.compile(r"(?<![a-z])(ss|sm|ms|mm)(?![a-z])")
_WRONG: dict[str, Expected] = {"success": "zero"}
_OTHER_CALLS: dict[str, Expected] = {
    "success": "zero",
    "f1_app": "lower",
    "f1_api": "lower",
    "em_app": "zero",
    "em_api": "zero",
}
EXPECTED: Mapping[str, Mapping[str, Expected]] = {
    "argument_dropped": _WRONG,
    "call_doubled": _OTHER_CALLS,
    "call_dropped": _OTHER_CALLS,
    "call_renamed": {"success": "zero", "f1_api": "lower", "em_api": "zero"},
    # The lines before the cut remain readable.
    "cut_off": {"f1_app": "lower", "f1_api": "lower"},
    "extra_argument": _WRONG,
    "other_producer": _WRONG,
    # Two samples may have the same gold.
    "shuffled": dict.fromkeys(("success", "f1_app", "f1_api", "em_app", "em_api"), "lower"),
    "value_blanked": _WRONG,
    "value_cut": _WRONG,
    "values_swapped": _WRONG,
    "wrong_type": _WRONG,
}


_OUTCOMES = {
    "right": "the calls correspond one to one, with equal apps, APIs and arguments",
    "wrong_apps": "the called apps, or their numbers of calls, differ from gold",
    "wrong_apis": "the called apps equal those of gold, but other APIs are called",
    "wrong_arguments": "the called apps and APIs equal those of gold, but an argument is wrong",
    "wrong_references": "only references to results are wrong, or literals are in their place",
    "empty": "the output contains no call",
    "unparseable": "the output cannot be read",
}


class _AppBench(Benchmark):
    title = "AppBench: all calls that a request needs, across several apps, with their references"
    outcomes: ClassVar[Mapping[str, str]] = _OUTCOMES
    expected_metrics = EXPECTED

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        whole = {"samples": 1.0}
        hits = "" if rules == "right" else ", with at most one match per sample"
        return (
            Ratio(
                "f1_app",
                f"F1 of the names of apps, pooled over samples{hits}",
                {"app_hits": 2},
                {"predicted_apps": 1, "gold_apps": 1},
            ),
            Ratio(
                "f1_api",
                f"F1 of the names of APIs, pooled over samples{hits}",
                {"api_hits": 2},
                {"predicted_apis": 1, "gold_apis": 1},
            ),
            Ratio("success", "Share of samples that are completely right", {"success": 1}, whole),
            Ratio("em_app", "Share of samples whose apps equal gold", {"equal_apps": 1}, whole),
            Ratio("em_api", "Share of samples whose APIs equal gold", {"equal_apis": 1}, whole),
        )

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        used_names: Counter[str] = Counter()
        for example in plan_examples(gold, ["appbench"], report):
            is_record = example.source == "appbench"
            sample_id = unique_name(
                example.source_id if is_record else example.example_id, used_names
            )
            yield Sample(sample_id=sample_id, example=example, level=_category(example))

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        names = Names(sample.example.calls)
        if rules == "published":
            return published.judge(sample.example.calls, output, names)
        if not sample.example.calls and calls_nothing(output):
            output = []
        gold_calls = tuple(_with_names(call, names) for call in sample.example.calls)
        try:
            calls = calls_of(output, names)
        except RejectedInputError as error:
            findings = (Finding("unreadable", f"{error.reason}: {error.message}"[:300]),)
            return Judged("unparseable", _nothing(gold_calls), findings)
        return right.judge_calls(calls, gold_calls)

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        return written_calls.record_of(calls)

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        return written_calls.text_of(calls)

    def relabelled(self, sample: Sample, output: Plain) -> "Plain | msgspec.UnsetType":
        try:
            calls = calls_of(output, Names(sample.example.calls))
        except RejectedInputError:
            return msgspec.UNSET
        if not written_calls.fits_record(calls):
            return msgspec.UNSET
        return written_calls.record_of(calls, renamed=True)


def _category(example: Example) -> str:
    """Return AppBench's category of an example: SS, SM, MS or MM.

    The letters mean a single or multiple apps, with a single or multiple APIs of an app. The name
    of the record's file contains the category; otherwise it is derived from the apps.
    """
    category = _CATEGORY.search(PurePosixPath(example.source_uri).stem.casefold())
    if category and example.source == "appbench":
        return category[1].upper()
    if not example.calls:
        return ""
    names = Names(example.calls)
    return category_of([names.app(call.app) for call in example.calls])


def _with_names(call: Call, names: Names) -> Call:
    app, api = names.call(call.app, call.api)
    return replace(call, app=app, api=api)


def _nothing(gold_calls: Sequence[Call]) -> dict[str, float]:
    counts = right.counts_of((), gold_calls)
    return {**counts, "equal_apps": 0.0, "equal_apis": 0.0, "success": 0.0}


BENCHMARK = _AppBench()
