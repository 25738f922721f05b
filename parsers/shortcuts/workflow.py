"""The workflow description: a shortcut as the text a query writer reads.

One line per action, indented by control depth:

    name(argument=value, ...) -> output name

Values are literals; [output: name] for outputs of earlier actions, [variable: name], and
[needs input: kind] for what only the person or device can supply. Attachments are rendered in the
numeric order of their UTF-16 offsets. Control blocks read If / Otherwise / End If, Menu / Case,
Repeat / End Repeat.
"""

from collections.abc import Sequence

import msgspec

from benchloom.records import Action, Argument, Reference
from parsers.shortcuts.tokens import input_kind, parse_range, part_of_output
from parsers.shortcuts.vocabulary import (
    ATTACHMENTS,
    COMMENT,
    CONDITIONAL,
    MENU,
    OUTPUT_NAME,
    OUTPUT_UUID,
    REPEAT_COUNT,
    SERIALIZATION,
    SYSTEM_PREFIX,
)

INDENT = "  "
_CONDITIONS = {
    0: "is less than",
    1: "is at most",
    2: "is greater than",
    3: "is at least",
    4: "is",
    5: "is not",
    8: "begins with",
    9: "ends with",
    99: "contains",
    100: "has any value",
    101: "does not have any value",
    999: "does not contain",
    1003: "is between",
}
_MAX_RENDER_DEPTH = 40
_PLACEHOLDER = b"\xfc\xff"


def describe_workflow(actions: Sequence[Action]) -> str:
    """The workflow description of a shortcut's actions, one line per action."""
    names = output_names(actions)
    return "\n".join(INDENT * action.depth + action_text(action, names) for action in actions)


def action_text(action: Action, names: dict[str, str]) -> str:
    """One action as a line without its indent."""
    return _control_line(action, names) if action.control else _action_line(action, names)


def output_names(actions: Sequence[Action]) -> dict[str, str]:
    """The name under which each UUID's output is shown."""
    return {
        action.uuid: action.output_name or f"output of step {action.index + 1}"
        for action in actions
        if action.uuid
    }


def _action_line(action: Action, names: dict[str, str]) -> str:
    name = action.identifier.removeprefix(SYSTEM_PREFIX)
    if action.identifier == COMMENT:
        text = _value_of(action, "WFCommentActionText", names) or '""'
        if text.startswith('"'):
            text = msgspec.json.decode(text, type=str)
        return f"# {_one_line(text)}"
    arguments = ", ".join(
        [
            f"{argument.name}={argument.value}"
            if argument.kind == "literal" and argument.value[0] != "{"
            else f"{argument.name}={render_argument(argument, names)}"
            for argument in action.arguments
        ]
    )
    shown = f" -> {action.output_name}" if action.output_name else ""
    return f"{name}({arguments}){shown}"


def _control_line(action: Action, names: dict[str, str]) -> str:
    if action.identifier == CONDITIONAL:
        return _if_line(action, names)
    if action.identifier == MENU:
        return _menu_line(action, names)
    if action.control == "close":
        return "End Repeat"
    if action.identifier == REPEAT_COUNT:
        return f"Repeat {_value_of(action, 'WFRepeatCount', names) or '1'} times"
    return f"Repeat for each item in {_value_of(action, 'WFInput', names) or '[previous output]'}"


def _if_line(action: Action, names: dict[str, str]) -> str:
    if action.control == "branch":
        return "Otherwise"
    if action.control == "close":
        return "End If"
    subject = _value_of(action, "WFInput", names) or "[previous output]"
    by_name = {argument.name: argument for argument in action.arguments}
    condition = by_name.get("WFCondition")
    verb = _condition(condition)
    operands = [
        _value_of(action, name, names)
        for name in ("WFConditionalActionString", "WFNumberValue", "WFAnotherNumber", "WFDate")
    ]
    shown = " and ".join(operand for operand in operands if operand)
    return f"If {subject} {verb} {shown}".rstrip()


def _condition(argument: Argument | None) -> str:
    if argument is None:
        return "has any value"
    value = msgspec.json.decode(argument.value)
    if isinstance(value, int):
        return _CONDITIONS.get(value, f"meets condition {value} with")
    return str(value).lower() if isinstance(value, str) else "meets a condition with"


def _menu_line(action: Action, names: dict[str, str]) -> str:
    if action.control == "close":
        return "End Menu"
    if action.control == "branch":
        return f"Case {_value_of(action, 'WFMenuItemTitle', names) or '(untitled)'}"
    prompt = _value_of(action, "WFMenuPrompt", names)
    choices = _value_of(action, "WFMenuItems", names) or "[]"
    return f"Menu {prompt or ''} {choices}".replace("  ", " ")


def _value_of(action: Action, name: str, names: dict[str, str]) -> str | None:
    for argument in action.arguments:
        if argument.name == name:
            return render_argument(argument, names)
    return None


def render_argument(argument: Argument, names: dict[str, str]) -> str:
    """The value of an argument for people: literals as JSON, tokens in square brackets."""
    kind, references = argument.kind, argument.references
    if kind == "literal" and not argument.value.startswith("{"):
        return argument.value
    if len(references) == 1 and references[0].output and kind in _SINGLE_TOKENS:
        # The common case, without decoding the value again.
        return _show_reference(references[0])
    if kind == "text" and references and not argument.inputs:
        shown = _text_of_references(argument)
        if shown is not None:
            return shown
    return render_value(msgspec.json.decode(argument.value), names)


_SINGLE_TOKENS = frozenset({"reference", "variable"})


class _Text(msgspec.Struct):
    string: str
    attachmentsByRange: dict[str, msgspec.Raw]  # noqa: N815  the file's own word


class _TextToken(msgspec.Struct):
    Value: _Text


_TEXT_DECODER = msgspec.json.Decoder(_TextToken)


def _show_reference(reference: Reference) -> str:
    suffix = f".{reference.path}" if reference.path else ""
    return f"[{reference.kind}: {reference.output}{suffix}]"


def _text_of_references(argument: Argument) -> str | None:
    """A text whose attachments are all plain references, None when it is another shape."""
    try:
        text = _TEXT_DECODER.decode(argument.value).Value
    except msgspec.ValidationError:
        return None
    tokens: list[Token] = []
    for reference in argument.references:
        if reference.offset is None or reference.length is None or not reference.output:
            return None
        tokens.append((reference.offset, reference.length, _show_reference(reference)))
    if len(tokens) != len(text.attachmentsByRange):
        return None
    return _insert_tokens(text.string, sorted(tokens))


def render_value(value: object, names: dict[str, str], depth: int = 0) -> str:
    """A canonical value for people."""
    if depth > _MAX_RENDER_DEPTH:
        return "..."
    if isinstance(value, dict):
        return _render_mapping(value, names, depth + 1)
    if isinstance(value, list):
        return "[" + ", ".join(render_value(entry, names, depth + 1) for entry in value) + "]"
    return msgspec.json.encode(value).decode()


def _render_mapping(value: dict[str, object], names: dict[str, str], depth: int) -> str:
    serialization = value.get(SERIALIZATION)
    if serialization == "WFTextTokenString":
        return _render_text(value.get("Value"), names, depth)
    if serialization == "WFDictionaryFieldValue":
        return _render_fields(value.get("Value"), names, depth)
    if serialization is not None and "Value" in value:
        return render_value(value["Value"], names, depth)
    if value.get("Type") == "Variable" and "Variable" in value:
        return render_value(value["Variable"], names, depth)
    token = render_token(value, names)
    if token is not None:
        return token
    if value.keys() == {"sha256", "length"}:
        return f"[{value['length']} bytes of data]"
    if "WFKey" in value or ("WFItemType" in value and "WFValue" in value):
        return _render_field(value, names, depth)
    shown = (f"{key}: {render_value(value[key], names, depth)}" for key in sorted(value))
    return "{" + ", ".join(shown) + "}"


def _render_fields(value: object, names: dict[str, str], depth: int) -> str:
    fields = value.get("WFDictionaryFieldValueItems") if isinstance(value, dict) else None
    if not isinstance(fields, list):
        return render_value(value, names, depth)
    return "{" + ", ".join(render_value(field, names, depth) for field in fields) + "}"


def _render_field(value: dict[str, object], names: dict[str, str], depth: int) -> str:
    shown = render_value(value.get("WFValue"), names, depth)
    if "WFKey" not in value:
        return shown
    return f"{render_value(value['WFKey'], names, depth)}: {shown}"


def render_token(value: dict[str, object], names: dict[str, str]) -> str | None:
    """A single token, None when the mapping is not one."""
    token_type = value.get("Type")
    part = part_of_output(value)
    suffix = f".{part}" if part else ""
    if OUTPUT_UUID in value:
        uuid, name = value[OUTPUT_UUID], value.get(OUTPUT_NAME)
        known = names.get(uuid) if isinstance(uuid, str) else None
        return f"[output: {name if isinstance(name, str) and name else known or 'missing'}{suffix}]"
    if token_type == "Variable":
        return f"[variable: {value.get('VariableName')}{suffix}]"
    kind = input_kind(token_type)
    return f"[needs input: {kind}{suffix}]" if kind else None


def _render_text(value: object, names: dict[str, str], depth: int) -> str:
    """A text with its attachments put in at their UTF-16 offsets, in numeric order."""
    if not isinstance(value, dict) or not isinstance(value.get("string"), str):
        return render_value(value, names, depth)
    text = value["string"]
    attachments = value.get(ATTACHMENTS)
    if not isinstance(attachments, dict) or not attachments:
        return msgspec.json.encode(text).decode()
    tokens = [
        (span[0], span[1], render_value(token, names, depth))
        for key, token in attachments.items()
        if (span := parse_range(key)) is not None
    ]
    return _insert_tokens(text, sorted(tokens))


Token = tuple[int, int, str]
"""Offset and length in UTF-16 units, and what is shown there."""


def _insert_tokens(text: str, tokens: list[Token]) -> str:
    """A text as JSON with its tokens put in at their offsets; `tokens` are sorted."""
    units = text.encode("utf-16-le", "surrogatepass")
    pieces: list[str] = []
    position = 0
    for offset, length, shown in tokens:
        start = min(max(offset, position), len(units) // 2)
        pieces.append(units[2 * position : 2 * start].decode("utf-16-le", "replace"))
        pieces.append(shown)
        # Only the placeholder is replaced: some real ranges point at ordinary text.
        end = start + length
        covered = units[2 * start : 2 * end]
        plain = covered != _PLACEHOLDER and covered.decode("utf-16-le", "replace").strip("\ufffc")
        position = start if plain else min(end, len(units) // 2)
    pieces.append(units[2 * position :].decode("utf-16-le", "replace"))
    return msgspec.json.encode("".join(pieces)).decode()


def _one_line(text: str) -> str:
    return " ".join(text.split())
