"""What one output counts under each set of rules."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from benchloom.evaluate.benchmarks.nestful.alignment import Alignment
from benchloom.evaluate.benchmarks.nestful.reading import Entry, Plan
from benchloom.records.values import Plain

_LABEL = re.compile(r"\$var_?0*(\d+)")
HITS, GOLD, PREDICTED = "hits", "gold", "predicted"


def right_counts(gold: Plan, predicted: Plan | None, aligned: Alignment) -> dict[str, float]:
    """Counts under `right`; `predicted` is None where nothing could be read."""
    calls = () if predicted is None else predicted.calls
    most = max(len(gold.calls), len(calls))
    is_read = predicted is not None
    matched = len(aligned.right)
    counts: dict[str, float] = {
        "partial": matched / most if most else float(is_read),
        "recall": matched / len(gold.calls) if gold.calls else float(is_read),
        "full": float(is_read and matched == most),
    }
    for word, pick in (("functions", _functions), ("parameters", _parameters)):
        due, found = pick(gold), Counter[str]() if predicted is None else pick(predicted)
        counts[f"{word}_{HITS}"] = (due & found).total()
        counts[f"{word}_{GOLD}"] = due.total()
        counts[f"{word}_{PREDICTED}"] = found.total()
    return counts


def _functions(plan: Plan) -> Counter[str]:
    return Counter(one.name for one in plan.calls)


def _parameters(plan: Plan) -> Counter[str]:
    return Counter(f"{one.name}.{name}" for one in plan.calls for name in one.arguments)


def published_counts(
    gold: Sequence[Entry], predicted: Sequence[Entry] | None, offered: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """Counts under `published`: by place behind a greedy aligner, labels compared as texts.

    F1 is macro over the classes of all gold, a set of classes per sample; names that neither the
    gold nor the tools of a sample have are not even counted, as the published scorer has it.
    """
    found = () if predicted is None else predicted
    places, hits = 0, 0
    next_one = 0
    for one in gold:
        places += 1
        if next_one < len(found) and found[next_one].name == one.name:
            hits += _is_same(one, found[next_one])
            next_one += 1
    places += len(found) - next_one
    counts: dict[str, float] = {
        "partial": hits / places if places else float(predicted is not None),
        "full": float(predicted is not None and hits == len(gold) == len(found)),
    }
    known = {one.name for one in gold} | set(offered)
    due = {one.name for one in gold}
    named = {one.name for one in found} & known
    _add_classes(counts, "function", due, named)
    due, named = _slots(gold), _slots(found)
    declared = {f"{name}.{slot}" for name, slots in offered.items() for slot in slots}
    _add_classes(counts, "parameter", due, named & (due | declared))
    return counts


def _is_same(gold: Entry, predicted: Entry) -> bool:
    return _numbered(gold.arguments) == _numbered(predicted.arguments)


def _numbered(value: Plain) -> Plain:
    """A value with labels written in one way: `$var1` is `$var_1`, and 2 another number."""
    if isinstance(value, str):
        return _LABEL.sub(r"$var_\1", value) if "$" in value else value
    if isinstance(value, list):
        return [_numbered(one) for one in value]
    if isinstance(value, dict):
        return {name: _numbered(one) for name, one in value.items()}
    return value


def _slots(entries: Sequence[Entry]) -> set[str]:
    """The names of arguments by function; of several calls of one function the last counts."""
    last = {one.name: one.arguments for one in entries}
    return {f"{name}.{slot}" for name, arguments in last.items() for slot in arguments}


def _add_classes(counts: dict[str, float], word: str, due: set[str], found: set[str]) -> None:
    for name in due | found:
        if name in due:
            counts[f"{word}:{GOLD}:{name}"] = 1.0
        if name in found:
            counts[f"{word}:{PREDICTED}:{name}"] = 1.0
        if name in due and name in found:
            counts[f"{word}:{HITS}:{name}"] = 1.0
