"""A second implementation of NESTFUL's published scorer, written from its description.

It works on all samples at once, as the published script does: lists of texts, a table of classes.
"""

import json
from collections.abc import Sequence
from typing import Any

Calls = Sequence[dict[str, Any]]
Figures = dict[str, float]


def read(text: str) -> list[dict[str, Any]]:
    """Return the calls of a text without its fences, or none if it is not a list of calls."""
    try:
        calls = json.loads(text.replace("```", ""))
        if all(isinstance(call["arguments"], dict) for call in calls):
            return list(calls)
    except (ValueError, TypeError, KeyError):
        return []
    return []


def calls_with_function_names(calls: Calls, *, closing: bool) -> list[tuple[str, list[str]]]:
    """Return calls as name and argument texts; labels are replaced by function names."""
    names = {call.get("label", "").strip("$"): call["name"] for call in calls}
    named_calls = []
    for call in calls:
        if call["name"] == "var_result":
            continue
        texts = []
        for key, value in call["arguments"].items():
            value_text = replace_label(value, names)
            if isinstance(value, list):
                value_text = [replace_label(item, names) for item in value]
            if closing and str(value_text).startswith("$") and not str(value_text).endswith("$"):
                value_text = f"{value_text}$"
            texts.append(f"{key} = {value_text}")
        named_calls.append((call["name"], texts))
    return named_calls


def replace_label(value: Any, names: dict[str, str]) -> Any:
    """Return a text that begins with a label with the label's function name in its place."""
    if isinstance(value, str) and value.startswith("$var") and "." in value:
        label = value[1 : value.index(".")]
        return value.replace(label, names[label]) if label in names else value
    return value


def pad_lists(gold: list[str], predicted: list[str]) -> tuple[list[str], list[str]]:
    """Return both lists, padded with empty texts where the other side has an extra call."""
    if len(gold) == len(predicted):
        return gold, predicted
    left, right, waiting = [], [], list(predicted)
    for call_text in gold:
        left.append(call_text)
        is_next = waiting and waiting[0].split("(")[0] == call_text.split("(")[0]
        right.append(waiting.pop(0) if is_next else "")
    return left + [""] * len(waiting), right + waiting


def macro_f1(gold: list[set[str]], predicted: list[set[str]]) -> float:
    """Return the mean F1 over all classes in gold."""
    scores = []
    for name in set().union(*gold):
        gold_flags = [name in classes for classes in gold]
        predicted_flags = [name in classes for classes in predicted]
        hits = sum(a and b for a, b in zip(gold_flags, predicted_flags, strict=True))
        scores.append(2 * hits / (sum(gold_flags) + sum(predicted_flags)))
    return sum(scores) / len(scores)


def figures(golds: Sequence[Calls], texts: Sequence[str]) -> Figures:
    """Return the four figures of a file of predictions."""
    shares: list[float] = []
    functions: tuple[list[set[str]], list[set[str]]] = ([], [])
    slots: tuple[list[set[str]], list[set[str]]] = ([], [])
    for gold, text in zip(golds, texts, strict=True):
        gold_calls = calls_with_function_names(gold, closing=False)
        predicted_calls = calls_with_function_names(read(text), closing=True)
        sides = []
        for side, calls in enumerate((gold_calls, predicted_calls)):
            functions[side].append({name for name, _ in calls})
            sides.append([f"{name}({', '.join(sorted(args))})" for name, args in calls])
        for name in {name for name, _ in (*gold_calls, *predicted_calls)}:
            slots[0].append(set(dict(gold_calls).get(name, [])))
            slots[1].append(set(dict(predicted_calls).get(name, [])))
        left, right = pad_lists(*sides)
        equal = [a == b for a, b in zip(left, right, strict=True)]
        shares.append(sum(equal) / len(equal))
    return {
        "partial_match": sum(shares) / len(shares),
        "full_match": sum(share == 1 for share in shares) / len(shares),
        "f1_function": macro_f1(*functions),
        "f1_parameter": macro_f1(*slots),
    }
