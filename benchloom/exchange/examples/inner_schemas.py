"""Store and restore the schemas of fields inside object parameters.

The record `Parameter` has no field for these schemas. A reader stores them as JSON in the field
`unknown` of the definition. The schemas of the fields of an object are under the path
`parameters.<name>.properties`, and the names of its required fields under
`parameters.<name>.required`. For a list of objects, `<name>.items` takes the place of `<name>`.
`add_inner_schemas` restores the schemas in tools.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from benchloom.core.records.api_definition import Unknown
from benchloom.exchange.definition_schema import Schema

WORDS = frozenset({"properties", "required"})  # the stored keywords of an object's schema
LONGEST = 4000  # characters of a stored schema; a longer one is cut and not restored
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_DEEPEST = 20


def add_inner_schemas(properties: dict[str, Any], unknown: Iterable[Unknown]) -> None:
    """Add the stored schemas of inner fields to parameters that are objects or lists of objects.

    `properties` maps the parameters of a tool to their schemas, to which the stored schemas in
    `unknown` are added.
    """
    for note in unknown:
        location, _, word = note.path.rpartition(".")
        name = location.removeprefix("parameters.")
        if word not in WORDS or name == location:
            continue
        target = properties.get(name)
        if target is None and name.endswith(".items"):
            target = properties.get(name.removesuffix(".items"), {}).get("items")
        if not isinstance(target, dict) or target.get("type") != "object" or "enum" in target:
            continue
        try:
            inner = valid_schema({word: msgspec.json.decode(note.value)})
        except (msgspec.DecodeError, RecursionError):
            continue  # the stored schema was cut
        target.update(inner)


def valid_schema(source_schema: Any, depth: int = 0) -> Schema:
    """Return an external JSON Schema without the parts that are invalid or not supported here."""
    schema: Schema = {}
    if not isinstance(source_schema, dict) or depth > _DEEPEST:
        return schema
    kind = source_schema.get("type")
    if isinstance(kind, str) and kind in _TYPES:
        schema["type"] = kind
    if isinstance(source_schema.get("description"), str):
        schema["description"] = source_schema["description"]
    if isinstance(source_schema.get("enum"), list) and source_schema["enum"]:
        schema["enum"] = source_schema["enum"]
    if isinstance(source_schema.get("properties"), dict):
        fields = source_schema["properties"].items()
        schema["properties"] = {name: valid_schema(field, depth + 1) for name, field in fields}
    if isinstance(source_schema.get("items"), dict):
        schema["items"] = valid_schema(source_schema["items"], depth + 1)
    required = source_schema.get("required")
    if isinstance(required, list) and all(isinstance(name, str) for name in required):
        schema["required"] = list(dict.fromkeys(required))
    return schema
