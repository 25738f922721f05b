"""Read the arguments of tools from their JSON Schemas."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from benchloom.worlds.tool import Tool


class Parameter(msgspec.Struct, frozen=True):
    """The JSON types that a tool accepts for an argument, its allowed values and its default."""

    types: frozenset[str]
    values: tuple[str | int | bool, ...]
    default: object
    required: bool


@lru_cache(maxsize=4096)
def parameters_of(tool: Tool) -> Mapping[str, Parameter]:
    """Return a mapping from the name of each argument of a tool to its types and values."""
    schema = tool.schema()
    required = frozenset(schema.get("required", ()))
    return {
        name: _parameter(property_schema, required=name in required)
        for name, property_schema in schema.get("properties", {}).items()
    }


def _parameter(schema: Mapping[str, Any], *, required: bool) -> Parameter:
    types: set[str] = set()
    values: list[str | int | bool] = []
    for part in _parts(schema):
        named = part.get("type", ())
        types.update([named] if isinstance(named, str) else named)
        values += part.get("enum", ())
    return Parameter(frozenset(types), tuple(values), schema.get("default"), required)


def _parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema
    for name in ("anyOf", "oneOf", "allOf"):
        for subschema in schema.get(name, ()):
            yield from _parts(subschema)
