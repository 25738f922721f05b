"""Count the matches of an output as NESTFUL's scorer does, including its faults.

The closing entry `var_result` is removed from gold and prediction. A label in an argument is
replaced by the function of the labelled call, so labels with other numbers are right, and a
reference to another call of the same function is right, too. Arguments are compared as texts: `3`
equals `"3"`, but not `3.0`. If gold and prediction have equally many calls, they are compared index
by index, else after a greedy alignment of the names. F1 is the mean over classes. A class is the
name of a function, or a text `name = value`, which counts once for each function of a sample. Only
classes that occur in gold count.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH, Plain
from benchloom.evaluate.benchmarks.nestful.calls import Entry, read_entries
from benchloom.evaluate.json_texts import MAX_TEXT
from benchloom.exchange.foreign.labelled_records import ANSWER
from benchloom.exchange.foreign.records import faults
from benchloom.storage.inputs.json_nesting import may_nest_deeper

GOLD, PREDICTED, HITS = "gold", "predicted", "hits"
_LONGEST_CLASS = 80
_LABELLED = "$var"


def published_entries(output: Plain) -> list[Entry]:
    """Return the calls that NESTFUL's published parser finds in an output.

    The parser reads only outputs that are a JSON list.

    Raises RejectedInputError if the output is not a list of calls, is nested too deeply, or has
    more than 1,000 calls or a million characters.
    """
    return read_entries(_decode(output) if isinstance(output, str) else output, _entry)


def _decode(text: str) -> Plain:
    if len(text) > MAX_TEXT:
        raise RejectedInputError("too_large", f"the output is longer than {MAX_TEXT} characters")
    try:
        content = text.replace("```", "").strip().encode()
    except UnicodeEncodeError as error:
        raise RejectedInputError(
            "bad_json", "the output contains half of a surrogate pair"
        ) from error
    if may_nest_deeper(content, MAX_DEPTH):
        raise RejectedInputError(
            "too_deep", f"the output is nested more than {MAX_DEPTH} levels deep"
        )
    with faults():
        value: Plain = msgspec.json.decode(content)
    return value


def _entry(entry: Plain) -> Entry:
    if not isinstance(entry, dict) or "name" not in entry:
        raise RejectedInputError("no_calls", "a call has no name")
    arguments = entry.get("arguments", entry.get("parameters", {}))
    label = entry.get("label", "")
    if not isinstance(arguments, dict) or not isinstance(label, str):
        raise RejectedInputError(
            "no_calls", "the arguments of a call are not an object, or its label is not a text"
        )
    return Entry(_text(entry["name"]), arguments, label)


def published_counts(gold: Sequence[Entry], predicted: Sequence[Entry] | None) -> dict[str, float]:
    """Return the counts of matches in the published comparison.

    `predicted` is None if no call can be read.
    """
    gold_entries, predicted_entries = (
        _resolve_labels(gold),
        _resolve_labels(predicted or (), closes=True),
    )
    share = _equal_share(
        [_signature(entry) for entry in gold_entries],
        [_signature(entry) for entry in predicted_entries],
    )
    if share is None:
        share = float(predicted is not None)
    counts = {"partial": share, "full": float(share == 1)}
    names, predicted_names = (
        {entry.name for entry in gold_entries},
        {entry.name for entry in predicted_entries},
    )
    _add(
        counts,
        "function",
        Counter(names),
        Counter(predicted_names),
        Counter(names & predicted_names),
    )
    due_slots, slots, hits = Counter[str](), Counter[str](), Counter[str]()
    last_due = {entry.name: _slots(entry) for entry in gold_entries}
    last_predicted = {entry.name: _slots(entry) for entry in predicted_entries}
    for name in names | predicted_names:
        left, right = last_due.get(name, set()), last_predicted.get(name, set())
        due_slots.update(left)
        slots.update(right)
        hits.update(left & right)
    _add(counts, "parameter", due_slots, slots, hits)
    return counts


def _equal_share(gold: Sequence[str], predicted: Sequence[str]) -> float | None:
    if len(gold) == len(predicted):
        occurrences, hits = len(gold), sum(map(str.__eq__, gold, predicted))
        return hits / occurrences if occurrences else None
    occurrences = hits = at = 0
    for gold_text in gold:
        occurrences += 1
        if at < len(predicted) and _name(predicted[at]) == _name(gold_text):
            hits += predicted[at] == gold_text
            at += 1
    return hits / (occurrences + len(predicted) - at)


def _resolve_labels(entries: Sequence[Entry], *, closes: bool = False) -> list[Entry]:
    """Replace labels in arguments by the names of the labelled functions; drop the final entry.

    With `closes`, a `$` is appended to texts that begin with `$` but do not end with it.
    """
    labels = {entry.label.replace("$", ""): entry.name for entry in entries if entry.label}
    labels = {label: name for label, name in labels.items() if name != "varResult"}
    return [
        Entry(
            entry.name,
            {
                key: _close(_with_function_names(value, labels), closes)
                for key, value in entry.arguments.items()
            },
        )
        for entry in entries
        if entry.name != ANSWER
    ]


def _with_function_names(value: Plain, labels: Mapping[str, str]) -> Plain:
    if isinstance(value, list):
        return [
            _with_function_names(element, labels) if isinstance(element, str) else element
            for element in value
        ]
    if not isinstance(value, str) or not value.startswith(_LABELLED) or "." not in value:
        return value
    label = value.partition(".")[0].replace("$", "")
    name = labels.get(label)
    return value if name is None else value.replace(label, name)


def _close(value: Plain, closes: bool) -> Plain:
    is_open = closes and isinstance(value, str) and value[:1] == "$" != value[-1:]
    return f"{value}$" if is_open else value


def _slots(entry: Entry) -> set[str]:
    return {f"{name} = {_text(value)}" for name, value in entry.arguments.items()}


def _signature(entry: Entry) -> str:
    return f"{entry.name}({', '.join(sorted(_slots(entry)))})"


def _name(call_text: str) -> str:
    return call_text.partition("(")[0]


def _text(value: Plain) -> str:
    """Return a value as Python prints it, or as JSON if Python cannot print it.

    Python refuses to print integers with thousands of digits.
    """
    try:
        return str(value)
    except ValueError:
        return repr(msgspec.json.encode(value, enc_hook=hex))


def _add(
    counts: dict[str, float],
    word: str,
    gold_texts: Counter[str],
    predicted_counts: Counter[str],
    hits: Counter[str],
) -> None:
    for kind, classes in ((GOLD, gold_texts), (PREDICTED, predicted_counts), (HITS, hits)):
        for name, count in sorted(classes.items()):
            counts[f"{word}:{kind}:{_class(name)}"] = float(count)


def _class(name: str) -> str:
    if len(name) <= _LONGEST_CLASS:
        return name
    content = name.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=16).hexdigest()
