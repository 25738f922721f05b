"""Count the right calls and names of one output under `right`."""

from collections import Counter

from benchloom.evaluate.benchmarks.nestful.alignment import Alignment
from benchloom.evaluate.benchmarks.nestful.published import GOLD, HITS, PREDICTED
from benchloom.evaluate.benchmarks.nestful.reading import Plan


def right_counts(gold: Plan, predicted: Plan | None, aligned: Alignment) -> dict[str, float]:
    """Counts under `right`; `predicted` is None where nothing could be read."""
    calls = () if predicted is None else predicted.calls
    most = max(len(gold.calls), len(calls))
    is_read = predicted is not None
    matched = len(aligned.right)
    counts: dict[str, float] = {
        "partial": matched / most if most else float(is_read),
        "recall": matched / len(gold.calls) if gold.calls else float(is_read and not calls),
        "full": float(is_read and matched == most),
    }
    for word, pick in (("functions", _functions), ("parameters", _parameters)):
        due, predicted_counts = pick(gold), Counter[str]() if predicted is None else pick(predicted)
        counts[f"{word}_{HITS}"] = (due & predicted_counts).total()
        counts[f"{word}_{GOLD}"] = due.total()
        counts[f"{word}_{PREDICTED}"] = predicted_counts.total()
    return counts


def _functions(plan: Plan) -> Counter[str]:
    return Counter(call.name for call in plan.calls)


def _parameters(plan: Plan) -> Counter[str]:
    return Counter(f"{call.name}.{name}" for call in plan.calls for name in call.arguments)
