"""Convert the stored arguments of actions (literals, texts with tokens, references) for a run."""

from collections.abc import Callable
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from benchloom.core.built_in_actions import ATTACHMENTS, OUTPUT_UUID, PARTS, parse_range
from benchloom.device.errors import UnsupportedError
from benchloom.device.items import Content, Item, MadeAnswer, as_one_item, spread
from benchloom.device.items.coercion import content_text, number_of, truth_of
from benchloom.device.items.item_types import coerced, dates_of
from benchloom.device.items.moments import write_date
from benchloom.device.items.properties import property_of, value_for_key

if TYPE_CHECKING:
    from benchloom.device.interpreter import Interpreter


Template: TypeAlias = Callable[["Interpreter"], Content]
"""A function that computes the content of an argument from the running shortcut."""


def template_of(value: object) -> Template:
    """Return a function that computes the content of a stored argument while a shortcut runs."""
    if isinstance(value, list):
        return _listed([template_of(_unwrapped(entry)) for entry in value])
    if not isinstance(value, dict):
        literal: Content = (value,) if isinstance(value, str | bool | int | float) else ()
        return lambda _scope: literal
    if "WFSerializationType" in value or ("Value" in value and len(value) <= 2):
        if value.get("WFSerializationType") == "WFDictionaryFieldValue":
            return _dictionary(value.get("Value"))
        return template_of(value.get("Value"))
    if isinstance(value.get("string"), str):
        return _text(value["string"], value.get(ATTACHMENTS))
    if isinstance(value.get("Variable"), dict):
        return template_of(value["Variable"])
    if OUTPUT_UUID in value or isinstance(value.get("Type"), str):
        return _token(value)
    if "WFDictionaryFieldValueItems" in value:
        return _dictionary(value)
    if "Magnitude" in value:
        return _listed([template_of(value["Magnitude"]), template_of(value.get("Unit"))])
    raw: Item = _raw(value)
    return lambda _scope: (raw,)


def _raw(value: object) -> Item:
    if isinstance(value, dict):
        return {str(key): _raw(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_raw(part) for part in value]
    return value if isinstance(value, str | bool | int | float) else None


def _unwrapped(entry: object) -> object:
    # An entry of a list is an object with a type and a value.
    if isinstance(entry, dict) and "WFValue" in entry:
        return entry["WFValue"]
    return entry


def _listed(templates: list[Template]) -> Template:
    def listed(scope: "Interpreter") -> Content:
        return tuple(item for template in templates for item in template(scope))

    return listed


def _text(text: str, attachments: object) -> Template:
    if not isinstance(attachments, dict) or not attachments:
        literal = (text,)
        return lambda _scope: literal
    units = text.encode("utf-16-le", "surrogatepass")
    spans = sorted(
        (
            (span, template_of(token))
            for key, token in attachments.items()
            if (span := parse_range(key)) is not None
        ),
        key=itemgetter(0),
    )
    pieces: list[str | Template] = []
    position = 0
    for (offset, length), template in spans:
        pieces.append(units[2 * position : 2 * offset].decode("utf-16-le", "replace"))
        pieces.append(template)
        position = max(position, offset + length)
    pieces.append(units[2 * position :].decode("utf-16-le", "replace"))
    alone = spans[0][1] if len(spans) == 1 and pieces[0] == pieces[-1] == "" else None

    def filled(scope: "Interpreter") -> Content:
        if alone is not None:
            content = alone(scope)
            if len(content) == 1 and isinstance(content[0], MadeAnswer):
                return content  # a later step may read it as another type than text
        return (
            "".join(
                piece if isinstance(piece, str) else content_text(piece(scope)) for piece in pieces
            ),
        )

    return filled


def _dictionary(value: object) -> Template:
    entries: list[tuple[Template, Template, object]] = []
    stored_entries = value.get("WFDictionaryFieldValueItems") if isinstance(value, dict) else None
    for entry in stored_entries if isinstance(stored_entries, list) else ():
        if isinstance(entry, dict):
            inner = entry.get("WFValue")
            kind = entry.get("WFItemType", 0)
            entries.append((template_of(entry.get("WFKey")), template_of(inner), kind))

    def filled(scope: "Interpreter") -> Content:
        return (
            {content_text(key(scope)): _typed(inner(scope), kind) for key, inner, kind in entries},
        )

    return filled


_TEXT, _DICTIONARY, _ARRAY, _NUMBER, _BOOLEAN = range(5)


def _typed(content: Content, kind: object) -> Item:
    if kind == _NUMBER:
        return number_of(as_one_item(content))
    if kind == _BOOLEAN:
        return truth_of(as_one_item(content))
    if kind == _ARRAY:
        return list(content)
    return as_one_item(content) if kind == _DICTIONARY else content_text(content)


def _token(token: dict[str, object]) -> Template:
    parts = token.get(PARTS)
    steps = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    source = _source(token)
    if not steps:
        return source

    def taken(scope: "Interpreter") -> Content:
        content = source(scope)
        for step in steps:
            content = _part(content, step, scope.device.now)
        return content

    return taken


def _source(token: dict[str, object]) -> Template:
    kind = token.get("Type")
    if OUTPUT_UUID in token and kind in ("ActionOutput", None):
        uuid = str(token[OUTPUT_UUID])
        return lambda scope: scope.output(uuid)
    if kind == "Variable":
        name = str(token.get("VariableName", ""))
        return lambda scope: scope.variable(name)
    return lambda scope: scope.special(str(kind))


def _part(content: Content, step: dict[str, object], now: datetime) -> Content:
    kind = step.get("Type")
    if kind == "WFDictionaryValueVariableAggrandizement":
        key = str(step.get("DictionaryKey", ""))
        return tuple(part for item in content for part in spread(value_for_key(item, key)))
    if kind == "WFCoercionVariableAggrandizement":
        name = step.get("CoercionItemClass")
        if not isinstance(name, str):
            return content
        converted = coerced(content, name, now)
        if converted is None:
            raise UnsupportedError(f"unsupported type {name}")
        return converted
    if kind == "WFPropertyVariableAggrandizement":
        name = str(step.get("PropertyName", ""))
        return tuple(part for item in content for part in spread(property_of(item, name)))
    if kind == "WFDateFormatVariableAggrandizement":
        return tuple(
            write_date(
                moment,
                str(step.get("WFDateFormatStyle", "Medium")),
                str(step.get("WFTimeFormatStyle", "Short")),
                str(step.get("WFDateFormat", "")),
                iso_time=step.get("WFISO8601IncludeTime") is True,
                now=now,
            )
            for item in content
            for moment in dates_of(item, now)
        )
    raise UnsupportedError(f"unsupported part {kind}")
