"""Judge a prediction under the rule set `right`, in which metrics count by their definitions.

Names are compared as multisets: the number of times that a name occurs matters, but the order of
calls does not. A sample is right if some bijection between predicted and gold calls preserves app,
API and every argument. A reference is preserved if it selects the same output as gold's reference,
and the two references are to calls that the bijection pairs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.errors import RejectedInputError
from benchloom.evaluate.benchmark import RIGHT, Judged
from benchloom.evaluate.benchmarks.appbench.equality import nodes_of, slot_of
from benchloom.evaluate.benchmarks.appbench.isomorphism import bijection
from benchloom.evaluate.benchmarks.appbench.raw import CONTRADICTION, NO_PRODUCER
from benchloom.exchange.examples import Argument, Call, Finding

OF_REFERENCES = frozenset(
    {
        "literal_for_reference",
        "reference_for_literal",
        "wrong_output",
        "wrong_producer",
        "no_producer",
        "other_structure",
    }
)

_MAX_COMPARED = (
    400  # maximum pairs of calls of one API that are compared; otherwise calls are paired in order
)
_MAX_FINDINGS = 100


def counts_of(predicted: Sequence[Call], gold: Sequence[Call]) -> dict[str, float]:
    """Return the numbers of predicted, gold and matching names, and whether all names match."""
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
    """Judge predicted calls against the gold calls; all names must be in the canonical spelling."""
    counts = counts_of(predicted, gold)
    try:
        matched = bijection(nodes_of(predicted), nodes_of(gold)) is not None
    except RejectedInputError as error:
        findings: tuple[Finding, ...] = (Finding(error.reason, error.message),)
        return Judged("wrong_references", {**counts, "success": 0.0}, findings)
    if matched:
        return Judged(RIGHT, {**counts, "success": 1.0})
    findings = explain(predicted, gold)
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


def explain(predicted: Sequence[Call], gold: Sequence[Call]) -> tuple[Finding, ...]:
    """Return the faults of predicted calls with their locations, at most a hundred."""
    pairs = _pair_calls(predicted, gold)
    findings = list(_of_calls(predicted, gold, pairs))
    for ours, theirs in sorted(pairs.items()):
        if len(findings) >= _MAX_FINDINGS:
            break
        findings += _of_arguments(ours, predicted, theirs, gold, pairs)
    if not findings:
        findings.append(Finding("other_structure", "all calls"))
    return tuple(findings[:_MAX_FINDINGS])


def _pair_calls(predicted: Sequence[Call], gold: Sequence[Call]) -> dict[int, int]:
    groups: dict[tuple[str, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, calls in enumerate((predicted, gold)):
        for index, call in enumerate(calls):
            groups[call.app, call.api][side].append(index)
    pairs: dict[int, int] = {}
    for ours, theirs in groups.values():
        if len(ours) * len(theirs) > _MAX_COMPARED:
            pairs |= zip(ours, theirs, strict=False)
            continue
        alike = {(p, g): _shared_arguments(predicted, p, gold, g) for p in ours for g in theirs}
        paired: set[int] = set()
        for p, g in sorted(alike, key=lambda pair: (-alike[pair], pair)):
            if p not in pairs and g not in paired:
                pairs[p] = g
                paired.add(g)
    return pairs


def _shared_arguments(predicted: Sequence[Call], p: int, gold: Sequence[Call], g: int) -> int:
    ours = {slot_of(argument, predicted)[0] for argument in predicted[p].arguments}
    return len(ours & {slot_of(argument, gold)[0] for argument in gold[g].arguments})


def _of_calls(
    predicted: Sequence[Call], gold: Sequence[Call], pairs: Mapping[int, int]
) -> Iterator[Finding]:
    matched = set(pairs.values())
    for index, call in enumerate(gold):
        if index not in matched:
            yield Finding("missing_call", f"gold call {index} {call.app}.{call.api}")
    for index, call in enumerate(predicted):
        if index not in pairs:
            yield Finding("extra_call", f"call {index} {call.app}.{call.api}"[:200])


def _of_arguments(
    ours: int,
    predicted: Sequence[Call],
    theirs: int,
    gold: Sequence[Call],
    pairs: Mapping[int, int],
) -> Iterator[Finding]:
    call = predicted[ours]
    predicted_arguments = {argument.name: argument for argument in call.arguments}
    gold_arguments = {argument.name: argument for argument in gold[theirs].arguments}
    location = f"call {ours} {call.app}.{call.api}"
    for name in sorted(gold_arguments.keys() - predicted_arguments.keys()):
        yield Finding("missing_argument", f"{location}.{name}")
    for name in sorted(predicted_arguments.keys() - gold_arguments.keys()):
        yield Finding("extra_argument", f"{location}.{name}"[:200])
    if len(predicted_arguments) < len(call.arguments):
        yield Finding("repeated_argument", location)
    for name in sorted(predicted_arguments.keys() & gold_arguments.keys()):
        kind = _difference(predicted_arguments[name], predicted, gold_arguments[name], gold, pairs)
        if kind:
            yield Finding(kind, f"{location}.{name}")


def _difference(
    predicted_argument: Argument,
    predicted: Sequence[Call],
    gold_argument: Argument,
    gold: Sequence[Call],
    pairs: Mapping[int, int],
) -> str:
    """Return the kind of fault by which two arguments with the same name differ.

    Returns an empty text if the arguments are equal. `pairs` maps predicted calls to gold calls.
    """
    ours, our_steps = slot_of(predicted_argument, predicted)
    theirs, their_steps = slot_of(gold_argument, gold)
    if predicted_argument.value == CONTRADICTION:
        return "contradiction"
    if predicted_argument.value == NO_PRODUCER:
        return "no_producer"
    if ours == theirs:
        same = tuple(map(pairs.get, our_steps)) == their_steps
        return "" if same else "wrong_producer"
    if bool(our_steps) != bool(their_steps):
        return "reference_for_literal" if our_steps else "literal_for_reference"
    if our_steps and ours.text == theirs.text:
        return "wrong_output"
    return "wrong_value" if ours.text else "blank_value"
