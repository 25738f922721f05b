"""Small conversions that all definition formats use to build records."""

import math

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition, DefinitionSource, Unknown, content_id
from parsers.definitions.documents import Mapping
from parsers.definitions.protocol import DefinitionContext, ParsedDefinitions, Problem
from parsers.errors import ParseError
from parsers.walk import canonical_scalar

MAX_UNKNOWN_CHARACTERS = 500
MAX_REPORTED_DUPLICATES = 50
MOST_COUNTED = 2**31 - 1
"""The largest number of values that a column can state; no real list comes near it."""
_ENCODER = msgspec.json.Encoder(order="sorted")


def json_text(value: object) -> str:
    """Encode a value as JSON: booleans and zero are kept, dates and bytes become canonical."""
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
    """Return the set of words in a text; used to write long lists of names."""
    return frozenset(text.split())


def text_of(value: object) -> str | None:
    """Return the value if it is a text with content, else None."""
    return value if isinstance(value, str) and value.strip() else None


def mapping_of(value: object) -> Mapping:
    """Return the value if it is a mapping, else an empty mapping."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[object]:
    """Return the value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def texts_of(value: object) -> tuple[str, ...]:
    """Return the elements of a list that are texts."""
    return tuple(entry for entry in list_of(value) if isinstance(entry, str))


def number_of(value: object) -> float | None:
    """A finite number, also one that is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


_NUMBER_TYPES = frozenset({"Integer", "Decimal", "Number"})


def typed_default(default: object, type_name: str, kind: str) -> object:
    """Convert a default to its parameter's type: some files write numbers, booleans as text."""
    if kind == "enum":
        return default
    if type_name == "Boolean" and not isinstance(default, bool):
        return bool(default) if default in (0, 1) else default
    if type_name in _NUMBER_TYPES and isinstance(default, str):
        number = number_of(default)
        return default if number is None else number
    return default


def unknown_keys(mapping: Mapping, known_keys: frozenset[str], path: str) -> list[Unknown]:
    """Return the keys of a mapping that this project does not know, with their values."""
    extra = mapping.keys() - known_keys
    return [
        Unknown(f"{path}{key}", json_text(mapping[key])[:MAX_UNKNOWN_CHARACTERS])
        for key in sorted(extra, key=str)
    ]


class Collected:
    """Collects definitions and problems while one file is read, with their common source."""

    def __init__(self, data: bytes, context: DefinitionContext, source_kind: str) -> None:
        self.context = context
        self.source_kind = source_kind
        self.source_digest = tagged_digest("file", data)
        self.definitions: list[ApiDefinition] = []
        self.problems: list[Problem] = []

    def add(self, definition: ApiDefinition) -> None:
        """Complete a definition with its source and id, and keep it."""
        context = self.context
        version = definition.app_version or context.app_version
        source = DefinitionSource(
            self.source_kind,
            context.source_uri,
            self.source_digest,
            version,
            context.part,
            context.locale,
        )
        self.definitions.append(
            msgspec.structs.replace(
                definition,
                definition_id=content_id(definition),
                source_digest=self.source_digest,
                app_version=version,
                sources=(source,),
            )
        )

    def fail(self, location: str, error: ParseError) -> None:
        """Note a part that could not be read."""
        self.problems.append(Problem(location, error.reason, error.message))

    def note_duplicates(self, keys: list[str]) -> None:
        """Record keys that occur twice in one mapping; readers keep the last value."""
        for key in keys[:MAX_REPORTED_DUPLICATES]:
            message = f"the key {key[:80]!r} stands twice in one mapping; the last value is kept"
            self.problems.append(Problem(key[:80], "duplicate_key", message))
        if len(keys) > MAX_REPORTED_DUPLICATES:
            rest = len(keys) - MAX_REPORTED_DUPLICATES
            self.problems.append(Problem("", "duplicate_key", f"{rest} further keys stand twice"))

    def result(self) -> ParsedDefinitions:
        """Return everything collected, with the definitions sorted by name."""
        ordered = sorted(self.definitions, key=lambda d: (d.api, d.definition_id))
        return ParsedDefinitions(tuple(ordered), tuple(self.problems))
