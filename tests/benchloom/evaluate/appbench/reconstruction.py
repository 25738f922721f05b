"""A second implementation of AppBench's published scorer, written from its description.

It reads the texts of published records alone and knows no types of ours. Only what the seeded
predictions of the tests contain is covered.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Counts = dict[str, float]
WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"


def apps_and_calls(text: str) -> tuple[list[str], list[str]]:
    """Return apps and calls of the lines of form `app: [call]`; other lines add nothing."""
    apps, calls = [], []
    for line in text.split("\n"):
        before, colon, behind = line.partition(":")
        if colon and "[" in line and "]" in line:
            if before.strip():
                apps.append(before.strip())
            calls.append("".join(sign for sign in behind if sign not in "[]").strip())
    return apps, calls


def name_and_arguments(call: str) -> tuple[str, dict[str, str]]:
    """Read the first `word = word(...)` of a text, up to the first closing bracket."""
    for at, sign in enumerate(call):
        if sign != "(":
            continue
        begins = at
        while begins and call[begins - 1] in WORD:
            begins -= 1
        before = call[:begins].rstrip()
        ends = call.find(")", at)
        if begins == at or not before.endswith("=") or ends < 0:
            continue
        if not before[:-1].rstrip()[-1:] or before[:-1].rstrip()[-1] not in WORD:
            continue
        name = call[begins:at].lower()
        pieces = call[at + 1 : ends].split(", ")
        return (name.split("_")[1] if "_" in name else name), arguments_of(pieces)
    return "", {}


def arguments_of(pieces: Sequence[str]) -> dict[str, str]:
    """Return argument values by name; a piece without a name empties the previous argument."""
    arguments: dict[str, str] = {}
    last = None
    for piece in pieces:
        signs = piece.count("=")
        if signs == 1:
            last, value = (part.strip() for part in piece.split("="))
            last = last.lower() if last.startswith("#") else "#" + last.lower()
            arguments[last] = value
        elif signs == 0 and last is not None:
            arguments[last] = ""
    return arguments


def same_value(first: str, second: str) -> bool:
    first, second = first.lower().strip("'"), second.lower().strip("'")
    return first in second or second in first


def list_counts(predicted: list[str], gold: list[str], word: str) -> Counts:
    """Count one hit at most, as the published scorer does; an empty list equals nothing."""
    predicted, gold = [name.lower() for name in predicted], [name.lower() for name in gold]
    return {
        f"{word}_hits": float(any(name in gold for name in predicted)),
        f"predicted_{word}s": len(predicted),
        f"gold_{word}s": len(gold),
        f"equal_{word}s": float(bool(predicted) and sorted(predicted) == sorted(gold)),
    }


def counts_of(gold: Mapping[str, Any], text: str) -> Counts:
    """Return the counts of one predicted text, compared with one published record."""
    apps, calls = apps_and_calls(text)
    predicted = [name_and_arguments(call) for call in calls]
    gold_calls = [name_and_arguments(call) for call in gold["api_results"]]
    counts = list_counts(apps, gold["used_app"], "app")
    counts |= list_counts([name for name, _ in predicted], [name for name, _ in gold_calls], "api")
    by_name, right = dict(predicted), 0
    earlier: list[tuple[str, str]] = []
    for name, arguments in dict(gold_calls).items():
        predicted_arguments = by_name.get(name)
        hits = 0
        for key, value in arguments.items():
            if predicted_arguments is None or key not in predicted_arguments:
                continue
            user_value = gold["user_aware_arguments"].get(key[1:])
            before = [old for earlier_key, old in earlier if earlier_key == key][:1]
            if same_value(value, predicted_arguments[key]) or (
                user_value and same_value(user_value, predicted_arguments[key])
            ):
                earlier.append((key, predicted_arguments[key]))
                hits += 1
            elif before and same_value(before[0], predicted_arguments[key]):
                hits += 1
        right += predicted_arguments is not None and hits == len(arguments)
    whole = counts["equal_apps"] and counts["equal_apis"] and right == len(dict(gold_calls))
    return counts | {"success": float(bool(whole))}
