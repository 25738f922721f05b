"""Read `typeSpecificMetadata`, a list of keys and values with defaults, ranges and file types."""

import re

import msgspec

from benchloom.core.records import Unknown
from parsers.definitions.actionsdata.types import ValueType
from parsers.definitions.values import (
    MAX_COUNTED,
    json_text,
    list_of,
    mapping_of,
    number_of,
    text_of,
    typed_default,
    unknown_part,
)

DEFAULT = "LNValueTypeSpecificMetadataKeyDefaultValue"
_MAX_KEY = 200
_LOWEST = re.compile(r"(minimum|lowerbound|rangemin|min)(value)?$", re.IGNORECASE)
_HIGHEST = re.compile(r"(maximum|upperbound|rangemax|max)(value)?$", re.IGNORECASE)
_FILES = re.compile(r"(contenttype|filetype|typeidentifier|uti)s?$", re.IGNORECASE)
_COUNT = re.compile(r"(size|count)", re.IGNORECASE)
_UNIT = re.compile(r"unit$", re.IGNORECASE)
# Settings of a text field that only matter while someone types.
_EDITING = re.compile(
    r"(SmartQuotes|SmartDashes|Autocorrect\w*|CapitalizationType|Multiline|KeyboardType"
    r"|ControlStyle|DisplayStyle)$"
)


class ParameterMetadata(msgspec.Struct, frozen=True):
    """The content of a parameter's metadata; `default` is JSON text."""

    default: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None
    file_types: tuple[str, ...] = ()
    count_minimum: int | None = None
    count_maximum: int | None = None


def read_metadata(
    flat: object, value: ValueType, path: str, unknown: list[Unknown]
) -> ParameterMetadata:
    """Read the pairs of a metadata list whose keys are known; add all other pairs to `unknown`."""
    fields: dict[str, object] = {}
    entries = list_of(flat)
    for key, raw in zip(entries[::2], entries[1::2], strict=False):
        if not isinstance(key, str) or not _take(key, raw, value, fields):
            unknown.append(unknown_part(f"{path}{key}", raw))
    if len(entries) % 2:
        unknown.append(unknown_part(f"{path}typeSpecificMetadata", entries[-1]))
    return msgspec.convert(fields, ParameterMetadata)


def _take(key: str, raw: object, value: ValueType, fields: dict[str, object]) -> bool:
    plain = unwrapped(raw)
    key = key[-_MAX_KEY:]
    if key == DEFAULT:
        fields["default"] = json_text(typed_default(plain, value.type, value.kind))
        return True
    if _EDITING.search(key):
        return True
    number = number_of(plain)
    for pattern, side in ((_LOWEST, "minimum"), (_HIGHEST, "maximum")):
        if pattern.search(key) and number is not None:
            if not _COUNT.search(key) or number < 0:
                fields[side] = number
                return True
            if number <= MAX_COUNTED:
                fields[f"count_{side}"] = int(number)
                return True
    if _FILES.search(key):
        names = plain if isinstance(plain, list) else [plain]
        fields["file_types"] = tuple(name for name in names if isinstance(name, str))
        return bool(fields["file_types"])
    if _UNIT.search(key) and text_of(plain):
        fields["unit"] = plain
        return True
    return False


def unwrapped(raw: object, nesting: int = 0) -> object:
    """Return the plain value in a union such as `{"int": {"wrapper": 0}}`, also inside arrays."""
    if not isinstance(raw, dict) or len(raw) != 1 or nesting > 16:
        return raw
    name, inner = next(iter(raw.items()))
    if name == "array":
        content = mapping_of(inner)
        values = content.get("values", mapping_of(content.get("wrapper")).get("values"))
        if not isinstance(values, list):
            values = list_of(content.get("wrapper", inner))
        return [unwrapped(entry, nesting + 1) for entry in values]
    if name == "enumeration":
        return mapping_of(inner).get("value", inner)
    if isinstance(inner, dict) and inner.keys() == {"wrapper"}:
        return inner["wrapper"]
    return inner
