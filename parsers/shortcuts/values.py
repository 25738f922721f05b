"""Render values for people as JSON, with tokens in square brackets and with long values shortened.

A literal of more than LONGEST characters is replaced by its beginning, its length and its digest,
and binary data by its length and its digest. The argument keeps the whole value.
"""

import hashlib
from collections.abc import Iterable

import msgspec

from benchloom.core.built_in_actions import (
    ATTACHMENTS,
    LEGACY_INPUT,
    OUTPUT_NAME,
    OUTPUT_UUID,
    PLACEHOLDER,
    SERIALIZATION,
    input_kind,
    parse_range,
    part_of_output,
)
from benchloom.core.records import Argument
from parsers.shortcuts.labels import Names, one_line

LONGEST = 1_000
"""Maximum number of characters of a literal, or of the text between two tokens, that is shown in
full."""
LONGEST_TEXT = 300
MAX_ENTRIES = 200
DIGEST_DIGITS = 12
_MAX_RENDER_DEPTH = 40
SIGN = PLACEHOLDER.decode("utf-16-le")
_SHA256_DIGITS = 64


def render_argument(argument: Argument, names: Names) -> str:
    """Render the value of an argument as text."""
    if argument.kind == "literal" and not argument.value.startswith("{"):
        return _render_literal(argument.value)
    return render_value(msgspec.json.decode(argument.value), names)


def _render_literal(encoded: str) -> str:
    if len(encoded) <= LONGEST or not encoded.startswith('"'):
        return encoded if len(encoded) <= LONGEST else _shorten(encoded)
    text = msgspec.json.decode(encoded, type=str)
    if len(text) <= LONGEST:
        return encoded
    head = msgspec.json.encode(f"{text[:LONGEST_TEXT]}...").decode()
    return f"{head} [{_measure(text)}]"


def shorten(text: str) -> str:
    """Return a plain text or, if it is long, its beginning with its length and its digest."""
    return text if len(text) <= LONGEST else _shorten(text)


def _shorten(text: str) -> str:
    return f"{text[:LONGEST_TEXT]}... [{_measure(text)}]"


def _measure(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(text)} characters, sha256 {digest[:DIGEST_DIGITS]}"


def _token(kind: str, name: str, path: str) -> str:
    return f"[{kind}: {name}.{one_line(path)}]" if path else f"[{kind}: {name}]"


def _with_part(token_text: str, path: str) -> str:
    return f"{token_text[:-1]}.{one_line(path)}]" if path else token_text


def render_value(value: object, names: Names, depth: int = 0) -> str:
    """Render a canonical value as text; `depth` counts the enclosing values."""
    if depth > _MAX_RENDER_DEPTH:
        return "..."
    if isinstance(value, dict):
        return _render_mapping(value, names, depth + 1)
    if isinstance(value, list):
        return "[" + join_entries(render_value(entry, names, depth + 1) for entry in value) + "]"
    return _render_literal(msgspec.json.encode(value).decode())


def join_entries(entries: Iterable[str], separator: str = ", ") -> str:
    """Join rendered entries; entries after the first MAX_ENTRIES are only counted."""
    visible_entries: list[str] = []
    more = 0
    for entry in entries:
        if len(visible_entries) < MAX_ENTRIES:
            visible_entries.append(entry)
        else:
            more += 1
    if more:
        visible_entries.append(f"[{more} more]")
    return separator.join(visible_entries)


def _render_mapping(value: dict[str, object], names: Names, depth: int) -> str:
    serialization = value.get(SERIALIZATION)
    if serialization == "WFTextTokenString":
        return _render_text(value.get("Value"), names, depth)
    if serialization == "WFDictionaryFieldValue":
        return _render_fields(value.get("Value"), names, depth)
    if serialization == "WFQuantityFieldValue":
        return _render_quantity(value.get("Value"), names, depth)
    if serialization is not None and "Value" in value:
        return render_value(value["Value"], names, depth)
    if value.get("Type") == "Variable" and "Variable" in value:
        return render_value(value["Variable"], names, depth)
    token = render_token(value, names)
    if token is not None:
        return token
    if value.keys() == {"sha256", "length"}:
        return _render_data(value)
    if isinstance(value.get("string"), str) and ATTACHMENTS in value:
        return _render_text(value, names, depth)
    if "WFKey" in value or ("WFItemType" in value and "WFValue" in value):
        return _render_field(value, names, depth)
    if {"AppIntentIdentifier", "BundleIdentifier"} <= value.keys():
        return _render_app_intent(value)
    picked = _picked_name(value)
    if picked is not None:
        return picked
    field_texts = (
        f"{one_line(key)}: {render_value(value[key], names, depth)}" for key in sorted(value)
    )
    return "{" + join_entries(field_texts) + "}"


_DISPLAY_NAMES = (
    *("displayString", "DisplayString", "displayName", "workflowName", "localizedCityName"),
    *("Name", "title"),
)
_PICKER_IDS = frozenset(
    {
        *("identifier", "Identifier", "BundleIdentifier", "workflowIdentifier", "fileLocation"),
        *("alCityIdentifier", "value"),
    }
)


def _picked_name(value: dict[str, object]) -> str | None:
    """Return the text that a picker of the app displayed for the chosen value.

    Returns None if the mapping does not come from a picker.
    """
    if "WFNSUnitSymbol" in value:
        return one_line(str(value["WFNSUnitSymbol"]))
    if value.get("isCurrentLocation") is True:
        return "[current location]"
    contact_fields = value.get("WFContactFieldValues")
    if isinstance(contact_fields, list) and value.keys() == {"WFContactFieldValues"}:
        count = len(contact_fields)
        return "[1 contact]" if count == 1 else f"[{count} contacts]"
    if not value.keys() & _PICKER_IDS:
        return None
    for key in _DISPLAY_NAMES:
        name = value.get(key)
        if isinstance(name, dict):
            name = name.get("key")
        if isinstance(name, str) and name:
            itself = " (this shortcut)" if value.get("isSelf") is True else ""
            return f"{_render_literal(msgspec.json.encode(name).decode())}{itself}"
    if value.keys() <= {"BundleIdentifier", "TeamIdentifier"}:
        return _render_literal(msgspec.json.encode(value["BundleIdentifier"]).decode())
    return None


def _render_data(value: dict[str, object]) -> str:
    digest = value["sha256"]
    is_sha256 = isinstance(digest, str) and len(digest) == _SHA256_DIGITS
    digest_text = f", sha256 {str(digest)[:DIGEST_DIGITS]}" if is_sha256 else ""
    return f"[{one_line(str(value['length']))} bytes of data{digest_text}]"


def _render_app_intent(value: dict[str, object]) -> str:
    intent, bundle = (
        one_line(str(value[key])) for key in ("AppIntentIdentifier", "BundleIdentifier")
    )
    name = value.get("Name")
    app = f"{one_line(name)}, {bundle}" if isinstance(name, str) and name else bundle
    return f"[{intent} of the app {app}]"


def _render_quantity(value: object, names: Names, depth: int) -> str:
    if not isinstance(value, dict) or not {"Magnitude", "Unit"} <= value.keys():
        return render_value(value, names, depth)
    magnitude, unit = value["Magnitude"], value["Unit"]
    if not isinstance(unit, str):
        return render_value(list(value.values()), names, depth)
    plain = isinstance(magnitude, str) and len(magnitude) < LONGEST
    magnitude_text = one_line(str(magnitude)) if plain else render_value(magnitude, names, depth)
    return f"{magnitude_text} {one_line(unit)}"


def _render_fields(value: object, names: Names, depth: int) -> str:
    fields = value.get("WFDictionaryFieldValueItems") if isinstance(value, dict) else None
    if not isinstance(fields, list):
        return render_value(value, names, depth)
    return "{" + join_entries(render_value(field, names, depth) for field in fields) + "}"


def _render_field(value: dict[str, object], names: Names, depth: int) -> str:
    value_text = render_value(value.get("WFValue"), names, depth)
    if "WFKey" not in value:
        return value_text
    return f"{render_value(value['WFKey'], names, depth)}: {value_text}"


def render_token(value: dict[str, object], names: Names) -> str | None:
    """Return a single token as text, or None if the mapping is not a token."""
    token_type = value.get("Type")
    part = part_of_output(value)
    if OUTPUT_UUID in value:
        return _token("output", names.of_uuid(value[OUTPUT_UUID], value.get(OUTPUT_NAME)), part)
    if token_type == "Variable":
        return _token("variable", one_line(str(value.get("VariableName"))), part)
    if token_type == LEGACY_INPUT:
        return _with_part(names.implicit() or "[result of a missing step]", part)
    kind = input_kind(token_type)
    return _token("needs input", kind, part) if kind else None


def _render_text(value: object, names: Names, depth: int) -> str:
    if not isinstance(value, dict) or not isinstance(value.get("string"), str):
        return render_value(value, names, depth)
    text = value["string"]
    attachments = value.get(ATTACHMENTS)
    if not isinstance(attachments, dict) or not attachments:
        return _render_literal(msgspec.json.encode(text).decode())
    tokens = [
        (span[0], span[1], render_value(token, names, depth))
        for key, token in attachments.items()
        if (span := parse_range(key)) is not None
    ]
    return _insert_tokens(text, sorted(tokens))


Token = tuple[int, int, str]
"""The offset and length of a token in UTF-16 units, and its displayed text."""


def _insert_tokens(text: str, tokens: list[Token]) -> str:
    # `tokens` are sorted by offset.
    units = text.encode("utf-16-le", "surrogatepass")
    length = len(units) // 2
    is_one_unit_each = length == len(text)

    def between(start: int, end: int) -> str:
        if is_one_unit_each:
            return text[start:end]
        return units[2 * start : 2 * end].decode("utf-16-le", "replace")

    pieces: list[str] = []
    position = 0
    for offset, span, token_text in tokens:
        start = min(max(offset, position), length)
        pieces += shorten(between(position, start)), token_text
        # Only the placeholder is replaced: some real ranges point at ordinary text.
        covered = between(start, start + span)
        position = start if covered.strip(SIGN) else min(start + span, length)
    pieces.append(shorten(between(position, length)))
    return msgspec.json.encode("".join(pieces)).decode()
