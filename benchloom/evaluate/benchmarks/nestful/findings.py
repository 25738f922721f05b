"""Determine the outcome of an output, and its faults with their locations."""

from collections import Counter
from collections.abc import Iterator, Mapping

from benchloom.core.records.values import is_settled
from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE
from benchloom.evaluate.benchmarks.nestful.alignment import Alignment
from benchloom.evaluate.benchmarks.nestful.calls import Outputs, Plan, PlannedCall
from benchloom.exchange.examples import Finding

OUTCOMES: Mapping[str, str] = {
    RIGHT: "the calls equal those of gold",
    UNPARSEABLE: "the output contains no readable list of calls",
    "no_calls": "the list is empty, but gold has calls",
    "wrong_functions": "the called functions differ from gold",
    "wrong_parameters": "the called functions equal those of gold, but argument names differ",
    "wrong_values": "functions and argument names equal those of gold, but values differ",
    "wrong_references": "only references differ: they point to other results than in gold",
    "other_text": "the calls equal those of gold, but the published comparison of texts fails",
    "other_way": "the calls differ from gold, but return the answer of gold",
}
MAX_FINDINGS = 50


def findings_of(
    gold: Plan, predicted: Plan, aligned: Alignment, outputs: Outputs
) -> tuple[Finding, ...]:
    """Return at most 50 faults: first those in gold calls, then superfluous predicted calls."""
    findings: list[Finding] = []
    for finding in _all(gold, predicted, aligned, outputs):
        findings.append(finding)
        if len(findings) == MAX_FINDINGS:
            break
    return tuple(findings)


def outcome_of(
    gold: Plan, predicted: Plan, aligned: Alignment, findings: tuple[Finding, ...]
) -> str:
    """Return the outcome of a readable output, which is a key of `OUTCOMES`."""
    if len(aligned.right) == len(gold.calls) == len(predicted.calls):
        return RIGHT
    if not predicted.calls:
        return "no_calls"
    names = Counter(call.name for call in gold.calls)
    if names != Counter(call.name for call in predicted.calls):
        return "wrong_functions"
    kinds = {finding.kind for finding in findings}
    if kinds & {"missing_argument", "extra_argument"}:
        return "wrong_parameters"
    return "wrong_values" if "wrong_value" in kinds else "wrong_references"


def _all(gold: Plan, predicted: Plan, aligned: Alignment, outputs: Outputs) -> Iterator[Finding]:
    for index, call in enumerate(gold.calls):
        if index not in aligned.pairs:
            yield Finding("missing_call", f"call {index}: {_shorten(call.name)}")
        elif index not in aligned.right:
            chosen = predicted.calls[aligned.pairs[index]]
            yield from _of_arguments(index, call, chosen)
    paired = set(aligned.pairs.values())
    for index, call in enumerate(predicted.calls):
        if index not in paired:
            kind = "extra_call" if not outputs or call.name in outputs else "unknown_function"
            yield Finding(kind, f"predicted call {index}: {_shorten(call.name)}")


def _of_arguments(index: int, gold: PlannedCall, predicted: PlannedCall) -> Iterator[Finding]:
    where = f"call {index}: {_shorten(gold.name)}"
    differing = 0
    for name in [*gold.arguments, *predicted.arguments]:
        if name not in predicted.arguments:
            yield Finding("missing_argument", f"{where}.{_shorten(name)}")
        elif name not in gold.arguments:
            yield Finding("extra_argument", f"{where}.{_shorten(name)}")
        else:
            continue
        differing += 1
    for name, value in gold.arguments.items():
        there = predicted.arguments.get(name, value)
        if not is_settled(value) and not is_settled(there):
            continue
        if value != there or isinstance(value, bool) is not isinstance(there, bool):
            differing += 1
            yield Finding("wrong_value", f"{where}.{_shorten(name)}")
    if not differing:
        names = [name for name, value in gold.arguments.items() if not is_settled(value)]
        yield Finding("wrong_reference", f"{where}.{', '.join(map(_shorten, names))}")


def _shorten(name: str) -> str:
    return name if len(name) <= 100 else f"{name[:100]}..."
