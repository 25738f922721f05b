"""Tokens inside an argument: references to outputs, variables, and needs for input.

Offsets and lengths are UTF-16 units, as in the files; they come from keys like "{4, 1}".
"""

import re
from operator import itemgetter

import msgspec

from benchloom.records import Reference
from parsers.shortcuts.labels import nearest
from parsers.shortcuts.running import Running
from parsers.shortcuts.vocabulary import (
    ATTACHMENTS,
    INPUT_TOKENS,
    LEGACY_INPUT,
    OUTPUT_NAME,
    OUTPUT_UUID,
)

_RANGE = re.compile(r"\{\s*(\d{1,10})\s*,\s*(\d{1,10})\s*\}", re.ASCII)
_MAX_UNITS = 2**31 - 1
_PLACEHOLDER = b"\xfc\xff"

Mapping = dict[str, object]
Site = tuple[Mapping, str]
"""A mapping found by the walk, and its place inside the argument."""


def input_kind(token_type: object) -> str | None:
    """The need for input a token type stands for, None for other tokens."""
    if isinstance(token_type, str) and token_type in INPUT_TOKENS:
        return token_type
    return None


def parse_range(key: str) -> tuple[int, int] | None:
    """Offset and length of an attachment key, None if it is not one."""
    found = _RANGE.fullmatch(key.strip())
    if found is None:
        return None
    offset, length = int(found[1]), int(found[2])
    return (offset, length) if max(offset, length) <= _MAX_UNITS else None


class Scope:
    """What earlier actions define: outputs by UUID, variables by name, and what runs around."""

    def __init__(self, definitions: dict[str, list[int]]) -> None:
        self.definitions = definitions
        self.variables: dict[str, int] = {}
        self.running = Running()
        self.flags: set[str] = set()

    def producer(self, uuid: object, index: int) -> int | None:
        """The action a reference from action `index` binds to: the nearest earlier definition."""
        indices = self.definitions.get(uuid) if isinstance(uuid, str) else None
        if not indices:
            self.flags.add("dangling_reference")
            return None
        found = nearest(indices, index)
        if found >= index:
            self.flags.add("forward_reference")
        return found

    def setter(self, name: str) -> int | None:
        """The action that gives a variable its value: the loop it belongs to, else the last one."""
        of_loop, producer = self.running.loop(name)
        if producer is not None:
            return producer
        producer = self.variables.get(name)
        if of_loop and producer is None:
            self.flags.add("loop_variable_outside_loop")
        return producer


def read_tokens(
    sites: list[Site], index: int, scope: Scope
) -> tuple[tuple[Reference, ...], tuple[str, ...]]:
    """References and input kinds among the mappings of one argument, in order of appearance."""
    placed: list[tuple[tuple[str, int, str], Reference | str]] = []
    for mapping, place in sites:
        location, span = _split_range(place) if ATTACHMENTS in place else (place, None)
        token = _token(mapping, index, scope, location, span)
        if token is not None:
            placed.append(((location, span[0] if span else -1, place), token))
    if len(placed) > 1:
        placed.sort(key=_first)
    references = tuple([token for _, token in placed if type(token) is Reference])
    return references, tuple([token for _, token in placed if type(token) is str])


_first = itemgetter(0)


def _token(
    mapping: Mapping, index: int, scope: Scope, location: str, span: tuple[int, int] | None
) -> Reference | str | None:
    token_type = mapping.get("Type")
    offset, length = span or (None, None)
    if OUTPUT_UUID in mapping and (token_type == "ActionOutput" or token_type is None):
        name = mapping.get(OUTPUT_NAME)
        return Reference(
            "output",
            scope.producer(mapping[OUTPUT_UUID], index),
            name if isinstance(name, str) else None,
            part_of_output(mapping),
            location,
            offset,
            length,
        )
    if token_type == "Variable":
        name = mapping.get("VariableName")
        if not isinstance(name, str):
            return None  # a wrapper: the token inside it is met on its own
        return Reference(
            "variable",
            scope.setter(name),
            name,
            part_of_output(mapping),
            location,
            offset,
            length,
        )
    if token_type == LEGACY_INPUT:
        found = scope.running.reference(location)
        path = part_of_output(mapping)
        return msgspec.structs.replace(found, path=path, offset=offset, length=length)
    return input_kind(token_type)


def has_placeholders(text: Mapping) -> bool:
    """Whether every range of a text's attachments points at U+FFFC."""
    string, attachments = text.get("string"), text[ATTACHMENTS]
    if not isinstance(string, str) or not isinstance(attachments, dict):
        return not attachments
    units = string.encode("utf-16-le", "surrogatepass")
    for key in attachments:
        span = parse_range(key)
        if span is None or units[2 * span[0] : 2 * span[0] + 2] != _PLACEHOLDER:
            return False
    return True


def _split_range(place: str) -> tuple[str, tuple[int, int] | None]:
    """The place outside the text, and the range inside it, of a token."""
    head, _, tail = place.rpartition(f"/{ATTACHMENTS}/")
    key, slash, rest = tail.partition("/")
    return (head + slash + rest if slash else head), parse_range(key)


_PART_NAMES = {
    "WFDictionaryValueVariableAggrandizement": ("key", "DictionaryKey"),
    "WFPropertyVariableAggrandizement": ("property", "PropertyName"),
    "WFContentItemPropertyName": ("property", "PropertyName"),
    "WFCoercionVariableAggrandizement": ("as", "CoercionItemClass"),
}
_DATE_FORMAT = "WFDateFormatVariableAggrandizement"


def part_of_output(mapping: Mapping) -> str:
    """The aggrandizements of a token as `key(name).as(class)`; empty when the whole is used."""
    steps = mapping.get("Aggrandizements")
    if not steps or not isinstance(steps, list):
        return ""
    parts: list[str] = []
    for step in steps:
        if not isinstance(step, dict):
            continue
        kind = step.get("Type")
        if kind == _DATE_FORMAT:
            parts.append(_date_format(step))
            continue
        name, field = _PART_NAMES.get(kind, (str(kind), "")) if isinstance(kind, str) else ("?", "")
        parts.append(f"{name}({_plain(step.get(field, ''))})")
    return ".".join(parts)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()


def _date_format(step: Mapping) -> str:
    """`date(style)`, `time(style)` or both, or the format the author wrote."""
    date, time = _plain(step.get("WFDateFormatStyle", "")), step.get("WFTimeFormatStyle")
    if date == "Custom":
        return f"date({_plain(step.get('WFDateFormat', 'Custom'))})"
    if date == "ISO 8601":
        return (
            "date(ISO 8601 with time)"
            if step.get("WFISO8601IncludeTime") is True
            else f"date({date})"
        )
    if time is None or date == "RFC 2822":
        return f"date({date})"
    shown = f"time({_plain(time)})"
    return shown if date == "None" else f"date({date}) {shown}"
