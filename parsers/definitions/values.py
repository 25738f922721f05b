"""This module contains small conversions with which all definition formats build records."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records import (
    ApiDefinition,
    DefinitionSource,
    Parameter,
    Unknown,
    content_id,
)
from parsers.definitions import DefinitionContext, ParsedDefinitions, Problem
from parsers.definitions.documents import Mapping
from parsers.errors import ParseError
from parsers.walk import canonical_scalar

MAX_UNKNOWN_CHARACTERS = 500
MAX_REPORTED_DUPLICATES = 50
MAX_COUNTED = 2**31 - 1
"""Largest number of values that a column can store. Every real list is much shorter."""
T = TypeVar("T")
R = TypeVar("R", ApiDefinition, Parameter)
_KEY = re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)+")
"""The key of a text that an app has not translated, such as REVEAL_ALBUMS_INTENT_TITLE."""
_ENCODER = msgspec.json.Encoder(order="sorted")


def json_text(value: object) -> str:
    """Return a value as JSON text, in which dates and bytes have a canonical form."""
    if value is True:
        return "true"
    if value is False:
        return "false"
    return _ENCODER.encode(_plain(value)).decode()


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(child) for child in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    return canonical_scalar(value)


def words(text: str) -> frozenset[str]:
    """Return the set of words in a text; our code writes long lists of names as one text."""
    return frozenset(text.split())


def text_of(value: object) -> str | None:
    """Return a text that is not blank, or None for any other value."""
    return value if isinstance(value, str) and value.strip() else None


def mapping_of(value: object) -> Mapping:
    """Return a mapping unchanged, or an empty mapping for any other value."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[object]:
    """Return a list unchanged, or an empty list for any other value."""
    return value if isinstance(value, list) else []


def texts_of(value: object) -> tuple[str, ...]:
    """Return the elements of a list that are texts."""
    return tuple(entry for entry in list_of(value) if isinstance(entry, str))


def number_of(value: object) -> float | None:
    """Return a finite number, also if it is written as a text, or None for any other value."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


_NUMBER_TYPES = frozenset({"Integer", "Decimal", "Number"})


def typed_default(default: object, type_name: str, kind: str) -> object:
    """Convert a default to the type of its parameter.

    Some files write numbers as text, and booleans as 0 or 1.
    """
    if kind == "enum":
        return default
    if type_name == "Boolean" and not isinstance(default, bool):
        return bool(default) if default in (0, 1) else default
    if type_name in _NUMBER_TYPES and isinstance(default, str):
        number = number_of(default)
        return default if number is None else number
    return default


def unknown_part(path: str, value: object) -> Unknown:
    """Return a part of a file that no parser reads, with its value as shortened JSON."""
    return Unknown(path, json_text(value)[:MAX_UNKNOWN_CHARACTERS])


def unknown_keys(mapping: Mapping, known_keys: frozenset[str], path: str) -> list[Unknown]:
    """Return the unknown keys of a mapping, with their values."""
    extra = mapping.keys() - known_keys
    return [unknown_part(f"{path}{key}", mapping[key]) for key in sorted(extra, key=str)]


def parse_entries(
    data: bytes,
    context: DefinitionContext,
    source_kind: str,
    entries: Iterable[tuple[str, T]],
    parse: Callable[[str, T], ApiDefinition],
    *,
    duplicates: Sequence[str] = (),
    problems: Iterable[Problem] = (),
) -> ParsedDefinitions:
    """Parse each entry of a file; an entry is a pair of its location and its content.

    The definitions get the file as their source. An entry that raises ParseError becomes a problem.
    So do the `duplicates`: keys that occur twice in one mapping, of which readers keep the last
    value.
    """
    definitions: list[ApiDefinition] = []
    problems = list(problems)
    digest = tagged_digest("file", data)
    for position, entry in entries:
        try:
            definition = _without_keys(parse(position, entry))
            parameters = tuple(map(_without_keys, definition.parameters))
        except ParseError as error:
            problems.append(Problem(position, error.reason, error.message))
            continue
        definition = msgspec.structs.replace(definition, parameters=parameters)
        version = definition.app_version or context.app_version
        source = DefinitionSource(
            source_kind, context.source_uri, digest, version, context.part, context.locale
        )
        completed = msgspec.structs.replace(
            definition,
            definition_id=content_id(definition),
            source_digest=digest,
            app_version=version,
            sources=(source,),
        )
        definitions.append(completed)
    for key in duplicates[:MAX_REPORTED_DUPLICATES]:
        message = f"the key {key[:80]!r} occurs twice in one mapping; the last value is kept"
        problems.append(Problem(key[:80], "duplicate_key", message))
    if (further := len(duplicates) - MAX_REPORTED_DUPLICATES) > 0:
        problems.append(Problem("", "duplicate_key", f"{further} further keys occur twice"))
    definitions.sort(key=lambda d: (d.api, d.definition_id))
    return ParsedDefinitions(tuple(definitions), tuple(problems))


def _without_keys(record: R) -> R:
    """Remove a title or description from a record if it is only the key of a missing text."""
    keys = {
        name: None
        for name, text in (("title", record.title), ("description", record.description))
        if text is not None and _KEY.fullmatch(text)
    }
    return msgspec.structs.replace(record, **keys) if keys else record
