"""Script that finds length, APIs and description of shortcuts in JSON, as in the paper.

The description is the text that ShortcutsBench gives to the writer of queries: a line for each
action, indented by the blocks that contain it, with the API's name, its parameters, the name of its
output, and the literals that a query has to say. Values are literals, outputs of other actions and
variables by their names, and what the user is asked for. Summaries of APIs, which the paper fills
in, are in none of the definitions that it is given here.

It uses only the identifiers of Apple's actions from benchloom: this is the other side of a
comparison. It keeps nothing, writes nothing and knows no damage.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.built_in_actions import BRANCHING, CONTROL, UNCOUNTED_OR_NONE

OPENS, BRANCHES, CLOSES = 0, 1, 2
"""Values of WFControlFlowMode."""
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"
_NEEDS = {"Ask", "Clipboard", "CurrentDate", "DeviceDetails", "ExtensionInput"}
_OF_BLOCKS = {"GroupingIdentifier", "WFControlFlowMode"}
_OF_OUTPUTS = {"UUID", "CustomOutputName"}


Read = dict[str, Any]
"""An object of JSON as a script has it: typed records are what the other side makes."""


class Definition(msgspec.Struct, frozen=True):
    """An API: its name, and the labels of its parameters by key."""

    name: str
    labels: dict[str, str]


def measured(texts: Sequence[str], definitions: Mapping[str, Definition]) -> int:
    """Length, APIs and description of each; how many there were."""
    for text in texts:
        actions = json.loads(text).get("WFWorkflowActions", [])
        length(actions)
        apis(actions)
        description(actions, definitions)
    return len(texts)


def length(actions: Sequence[Read]) -> int:
    """Actions on the longest way: of branches only the longest counts, a loop's body once."""
    counted, position = 0, 0
    while position < len(actions):
        action = actions[position]
        name = action.get("WFWorkflowActionIdentifier")
        position += 1
        if name not in CONTROL:
            counted += name not in UNCOUNTED_OR_NONE
            continue
        group, mode = _group(action)
        if mode != OPENS:
            continue
        branches: list[int] = []
        start = position
        while position < len(actions):
            other, mode = _group(actions[position])
            position += 1
            if other == group and mode != OPENS:
                branches.append(length(actions[start : position - 1]))
                start = position
                if mode != BRANCHES:
                    break
        counted += max(branches, default=0) if name in BRANCHING else sum(branches)
    return counted


def apis(actions: Sequence[Read]) -> set[str]:
    """The different APIs that are called."""
    names = {str(action.get("WFWorkflowActionIdentifier", "")) for action in actions}
    return names - UNCOUNTED_OR_NONE


def description(actions: Sequence[Read], definitions: Mapping[str, Definition]) -> str:
    """The text of a workflow, a line for each action."""
    lines: list[str] = []
    depth = 0
    for action in actions:
        name = str(action.get("WFWorkflowActionIdentifier", ""))
        mode = _group(action)[1] if name in CONTROL else None
        if mode in (BRANCHES, CLOSES):
            depth = max(0, depth - 1)
        lines.append("    " * depth + _line(name, mode, action, definitions))
        if mode in (OPENS, BRANCHES):
            depth += 1
    return "\n".join(lines)


def _line(api: str, mode: int | None, action: Read, definitions: Mapping[str, Definition]) -> str:
    """An action: name, parameters, output, and what has to be said."""
    parameters: Read = action.get("WFWorkflowActionParameters") or {}
    definition = definitions.get(api, Definition(api, {}))
    if mode == CLOSES:
        return f"End of {definition.name}"
    left = {
        name: value for name, value in parameters.items() if name not in _OF_BLOCKS | _OF_OUTPUTS
    }
    parts = ["Otherwise" if mode == BRANCHES else definition.name]
    parts += [f"{definition.labels.get(name, name)}: {told(value)}" for name, value in left.items()]
    if "CustomOutputName" in parameters:
        parts.append(f"output: {parameters['CustomOutputName']}")
    said = [word for value in left.values() for word in literals(value)]
    if said:
        parts.append(f"to be said: {', '.join(said)}")
    return "; ".join(parts)


def told(value: object) -> str:
    """The value of a parameter as text."""
    if isinstance(value, list):
        return ", ".join(map(told, value))
    if not isinstance(value, dict):
        return str(value)
    inner = value.get("Value", value)
    if not isinstance(inner, dict):
        return told(inner)
    if "attachmentsByRange" in inner or "string" in inner:
        return _with_tokens(inner)
    if "WFDictionaryFieldValueItems" in inner:
        items = inner["WFDictionaryFieldValueItems"]
        return ", ".join(
            f"{told(field.get('WFKey'))}: {told(field.get('WFValue'))}" for field in items
        )
    if "Type" in inner:
        return _token(inner)
    return ", ".join(f"{name}: {told(member)}" for name, member in inner.items())


def _with_tokens(text: Read) -> str:
    """A text with what its attachments stand for, in the order of their places."""
    attached = text.get("attachmentsByRange") or {}
    ordered = sorted(attached.items(), key=lambda item: int(item[0].strip("{}").split(",")[0]))
    first, *rest = str(text.get("string", "")).split(_PLACE)
    token_texts = [_token(token) for _, token in ordered]
    token_texts += [""] * (len(rest) - len(token_texts))
    return first + "".join(name + after for name, after in zip(token_texts, rest, strict=False))


def _token(token: Read) -> str:
    """Return the name of a token's value, with the properties taken from that value."""
    kind = token.get("Type")
    if kind == "Variable" and isinstance(token.get("Variable"), dict):
        return told(token["Variable"])
    if kind in _NEEDS:
        name = f"{kind} (needs input)"
    else:
        name = str(token.get("OutputName") or token.get("VariableName") or kind)
    for taken in token.get("Aggrandizements") or []:
        key = taken.get("PropertyName") or taken.get("DictionaryKey") or taken.get("Type")
        name += f".{told(key)}"
    return name


def literals(value: object) -> Iterator[str]:
    """Yield the texts and numbers of a value, without its tokens."""
    if isinstance(value, dict):
        inner = value.get("Value", value)
        if isinstance(inner, dict) and ("string" in inner or "attachmentsByRange" in inner):
            yield from filter(None, map(str.strip, str(inner.get("string", "")).split(_PLACE)))
        elif isinstance(inner, dict):
            if "Type" not in inner:
                for member in inner.values():
                    yield from literals(member)
        else:
            yield from literals(inner)
    elif isinstance(value, list):
        for member in value:
            yield from literals(member)
    elif value not in (None, ""):
        yield str(value)


def _group(action: Read) -> tuple[object, int]:
    parameters = action.get("WFWorkflowActionParameters", {})
    return parameters.get("GroupingIdentifier"), int(parameters.get("WFControlFlowMode", OPENS))
