"""Build JSON Schemas of types without references, which readers of tools do not resolve."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

Schema: TypeAlias = dict[str, Any]
_PREFIX = "#/$defs/"
_VALUES = frozenset({"const", "default", "enum", "examples"})


def schema_of(kind: object) -> Schema:
    """Return the JSON Schema of a type; recursive parts of a type allow any value."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template=_PREFIX + "{name}")
    complete_schema: Schema = _whole(schema, parts, frozenset())
    return complete_schema


def _whole(schema: Any, parts: Mapping[str, Any], open_: frozenset[str]) -> Any:
    if isinstance(schema, list):
        return [_whole(element, parts, open_) for element in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix(_PREFIX)
    if name in open_:
        return {}
    if name:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return {**_whole(parts[name], parts, open_ | {name}), **beside}
    return {
        key: value if key in _VALUES else _whole(value, parts, open_)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }
