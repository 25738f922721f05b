"""Judge a prediction under `right`: every figure means what its name says.

Names are compared as multisets: the order of calls does not count, because a plan may be
written in any order in which producers come first, but the number of times a name occurs does.
A sample is right if some bijection between predicted and gold calls preserves app, API and
every argument. A reference is preserved if it takes the same output, and the bijection maps its
producing call to gold's producing call.
"""

from collections import Counter
from collections.abc import Sequence

from benchloom.core.errors import RejectedInputError
from benchloom.evaluate.benchmark import RIGHT, Judged
from benchloom.evaluate.benchmarks.appbench.equality import nodes_of
from benchloom.evaluate.benchmarks.appbench.explaining import OF_REFERENCES, explained
from benchloom.evaluate.benchmarks.appbench.matching import bijection
from benchloom.exchange.examples import Call, Finding


def counts_of(predicted: Sequence[Call], gold: Sequence[Call]) -> dict[str, float]:
    """Count the predicted, gold and matching names, and whether all names match."""
    apps, gold_apps = Counter(call.app for call in predicted), Counter(call.app for call in gold)
    apis, gold_apis = Counter(call.api for call in predicted), Counter(call.api for call in gold)
    return {
        "app_hits": (apps & gold_apps).total(),
        "api_hits": (apis & gold_apis).total(),
        "predicted_apps": apps.total() - (0 if "" in gold_apps else apps[""]),
        "predicted_apis": apis.total() - (0 if "" in gold_apis else apis[""]),
        "gold_apps": gold_apps.total(),
        "gold_apis": gold_apis.total(),
        "equal_apps": float(apps == gold_apps),
        "equal_apis": float(apis == gold_apis),
    }


def judge_calls(predicted: Sequence[Call], gold: Sequence[Call]) -> Judged:
    """Judge calls against the gold calls; names must already be in the canonical spelling."""
    counts = counts_of(predicted, gold)
    try:
        matched = bijection(nodes_of(predicted), nodes_of(gold)) is not None
    except RejectedInputError as error:
        findings: tuple[Finding, ...] = (Finding(error.reason, error.message),)
        return Judged("wrong_references", {**counts, "success": 0.0}, findings)
    if matched:
        return Judged(RIGHT, {**counts, "success": 1.0})
    findings = explained(predicted, gold)
    return Judged(_outcome(predicted, counts, findings), {**counts, "success": 0.0}, findings)


def _outcome(
    predicted: Sequence[Call], counts: dict[str, float], findings: Sequence[Finding]
) -> str:
    if not predicted:
        return "empty"
    if not counts["equal_apps"]:
        return "wrong_apps"
    kinds = {finding.kind for finding in findings}
    if not counts["equal_apis"] or kinds & {"missing_call", "extra_call"}:
        return "wrong_apis"
    return "wrong_references" if kinds <= OF_REFERENCES else "wrong_arguments"
