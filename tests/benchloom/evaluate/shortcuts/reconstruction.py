"""A second implementation of ShortcutsBench's published scorer, written from its description."""

from collections.abc import Mapping
from typing import Any

NEEDS = {"ExtensionInput", "CurrentDate", "Clipboard", "DeviceDetails", "Ask"}
Action = Mapping[str, Any]
NAME, PARAMETERS = "WFWorkflowActionIdentifier", "WFWorkflowActionParameters"


def kind_of(value: Any) -> str:
    """Return the type of a token that is the whole value of a parameter, or an empty text."""
    inner = value.get("Value") if isinstance(value, dict) else None
    return str(inner.get("Type", "")) if isinstance(inner, dict) else ""


def comparable(value: Any) -> Any:
    """Return a value as it is compared: every token of a text becomes the same placeholder."""
    if isinstance(value, dict) and "string" in value:
        return value["string"].replace("\ufffc", "${Value1}")
    if isinstance(value, dict) and set(value) == {"Value", "WFSerializationType"}:
        return comparable(value["Value"])
    if isinstance(value, dict):
        return {key: comparable(child) for key, child in value.items()}
    if isinstance(value, list):
        return [comparable(element) for element in value]
    return int(value) if isinstance(value, bool) else value


def same_value(gold: Any, predicted: Any) -> bool:
    """Compare values: numbers by the type of either side, objects without regard to key order."""
    gold_value, predicted_value = comparable(gold), comparable(predicted)
    for kind in (float, int):
        if isinstance(gold_value, kind) or isinstance(predicted_value, kind):
            try:
                return bool(kind(gold_value) == kind(predicted_value))
            except (ValueError, TypeError):
                return False
    return bool(gold_value == predicted_value)


def same_token(gold: Any, predicted: Any) -> bool:
    """Compare tokens by type, and results also by id or name."""
    kind = kind_of(gold)
    if kind != kind_of(predicted):
        return False
    if kind in NEEDS:
        return True
    ours, theirs = gold["Value"], predicted["Value"]
    pairs = [(ours.get(key), theirs.get(key)) for key in ("OutputUUID", "OutputName")]
    return any(gold_value and gold_value == other for gold_value, other in pairs)


def counts_of(gold: Action, predicted: Action | None, essential: set[str]) -> dict[str, float]:
    """Return counts of one predicted action; None is an output that cannot be read."""
    same_api = predicted is not None and predicted[NAME] == gold[NAME]
    counts = {"api": float(same_api)}
    counts |= {f"{kind}_{what}": 0.0 for kind in ("static", "previous", "input") for what in WHAT}
    predicted_arguments = predicted[PARAMETERS] if predicted is not None and same_api else {}
    for name, value in gold[PARAMETERS].items():
        kind = kind_of(value)
        if kind == "ActionOutput":
            unit, hit = (
                "previous",
                name in predicted_arguments and same_token(value, predicted_arguments[name]),
            )
        elif kind in NEEDS:
            unit, hit = (
                "input",
                name in predicted_arguments and same_token(value, predicted_arguments[name]),
            )
        elif name in essential:
            unit, hit = (
                "static",
                name in predicted_arguments and same_value(value, predicted_arguments[name]),
            )
        else:
            continue
        counts[f"{unit}_gold"] += 1
        counts[f"{unit}_seen"] += same_api
        counts[f"{unit}_right"] += hit
    return counts


WHAT = ("gold", "seen", "right")
