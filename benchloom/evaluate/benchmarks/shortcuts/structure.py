"""Write calls as actions in the form of shortcut files and of the published prompts.

The module `parameters` reads the actions as the same calls again.
"""

import re
from collections.abc import Mapping

from benchloom.core.built_in_actions import ATTACHMENTS, OUTPUT_NAME, OUTPUT_UUID, SERIALIZATION
from benchloom.core.records.values import Composed, Plain, Ref, RuntimeValue, Value
from benchloom.evaluate.benchmarks.shortcuts.labels import UNKNOWN, Labels
from benchloom.evaluate.benchmarks.shortcuts.parameters import CUSTOM_NAME, UUID
from benchloom.exchange.examples import Call
from benchloom.exchange.examples.shortcuts.values import ITEMS

IDENTIFIER, PARAMETERS = "WFWorkflowActionIdentifier", "WFWorkflowActionParameters"
_MEANINGFUL = frozenset(
    {
        ATTACHMENTS, ITEMS, OUTPUT_UUID, SERIALIZATION, "string", "Type", "Value", "Variable",
        "WFItemType", "WFKey", "WFValue",
    }
)  # fmt: skip
"""The keys that have a meaning in shortcut files; plain objects with them need a wrapper."""
_PART = re.compile(r"(?:^|(?<=\))\.)(key|property)\(")
_PARTS = {
    "key": ("WFDictionaryValueVariableAggrandizement", "DictionaryKey"),
    "property": ("WFPropertyVariableAggrandizement", "PropertyName"),
}
_PLACEHOLDER = "\ufffc"


def structure_of(
    call: Call, labels: Labels, step: int, *, uuid: str | None = None
) -> dict[str, Plain]:
    """Write the call at index `step` as an action of a file; `uuid` is the id of its result."""
    parameters: dict[str, Plain] = {} if uuid is None else {UUID: uuid}
    if call.returns:
        parameters[CUSTOM_NAME] = call.returns[0]
    for argument in call.arguments:
        parameters[argument.name] = _plain(argument.value, labels, step)
    return {IDENTIFIER: call.api, PARAMETERS: parameters}


def _plain(value: Value, labels: Labels, before: int) -> Plain:
    if isinstance(value, Ref | RuntimeValue):
        return _wrap(_token(value, labels, before), "WFTextTokenAttachment")
    if isinstance(value, Composed):
        return _text(value, labels, before)
    if isinstance(value, list):
        return [_plain(element, labels, before) for element in value]
    if not isinstance(value, dict):
        return value
    members = {name: _plain(member, labels, before) for name, member in value.items()}
    return _fields(members) if members.keys() & _MEANINGFUL else dict(members)


def _wrap(value: Plain, kind: str) -> dict[str, Plain]:
    return {"Value": value, SERIALIZATION: kind}


def _fields(members: Mapping[str, Plain]) -> Plain:
    entries: list[Plain] = [
        {"WFItemType": 0, "WFKey": name, "WFValue": value} for name, value in members.items()
    ]
    return _wrap({ITEMS: entries}, "WFDictionaryFieldValue")


def _token(token: Ref | RuntimeValue, labels: Labels, before: int) -> dict[str, Plain]:
    fields: dict[str, Plain]
    if isinstance(token, Ref):
        fields = {"Type": "ActionOutput", OUTPUT_UUID: labels.label(token.step, before)}
        if token.output:
            fields[OUTPUT_NAME] = token.output
    elif token.kind == "variable":
        fields = {"Type": "Variable", "VariableName": token.name}
    elif token.kind == "input":
        fields = {"Type": token.name}
    else:
        fields = {"Type": "ActionOutput", OUTPUT_UUID: UNKNOWN, OUTPUT_NAME: token.name}
    if token.path:
        fields["Aggrandizements"] = _parts(token.path)
    return fields


def _parts(path: str) -> list[Plain]:
    parts: list[Plain] = []
    begins = list(_PART.finditer(path))
    ends = [match.start() for match in begins[1:]] + [len(path)]
    for match, end in zip(begins, ends, strict=True):
        kind, field = _PARTS[match[1]]
        parts.append({"Type": kind, field: path[match.end() : end].removesuffix(")")})
    return parts


def _text(text: Composed, labels: Labels, before: int) -> Plain:
    pieces: list[str] = []
    attachments: dict[str, Plain] = {}
    offset = 0
    for part in text.parts:
        if not isinstance(part, str):
            attachments[f"{{{offset}, 1}}"] = _token(part, labels, before)
        pieces.append(part if isinstance(part, str) else _PLACEHOLDER)
        offset += len(pieces[-1].encode("utf-16-le", "surrogatepass")) // 2
    return _wrap({"string": "".join(pieces), ATTACHMENTS: attachments}, "WFTextTokenString")
