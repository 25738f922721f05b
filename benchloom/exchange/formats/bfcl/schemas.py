"""Convert JSON Schemas of parameters to schemas as the leaderboard BFCL writes them, and back."""

from collections.abc import Mapping
from typing import Any

from benchloom.exchange.definition_schema import Schema

_WRITTEN = {
    "string": "string",
    "integer": "integer",
    "number": "float",
    "boolean": "boolean",
    "array": "array",
    "object": "dict",
}
"""Maps JSON Schema's names of types to the checker's, which has only these and `any`."""
_READ = {
    "string": ("string", "str", "char"),
    "integer": ("integer", "int", "long", "short", "byte", "bigint"),
    "number": ("number", "float", "double"),
    "boolean": ("boolean", "bool"),
    "array": ("array", "list", "tuple", "arraylist", "queue", "stack", "set"),
    "object": ("object", "dict", "hashmap", "hashtable"),
}
JSON_TYPES = {name: kind for kind, names in _READ.items() for name in names}
"""Maps names of types in Python, Java and JavaScript, in lower case, to those of JSON Schema."""
_LEFT_OUT = frozenset({"type", "properties", "items", "title", "additionalProperties"})


def bfcl_schema(schema: Mapping[str, Any]) -> Schema:
    """Convert a JSON Schema to the leaderboard's form; null and unions of types become `any`."""
    kind = schema.get("type")
    name = _WRITTEN.get(kind, "any") if isinstance(kind, str) else "any"
    written: Schema = {"type": name}
    written |= {word: value for word, value in schema.items() if word not in _LEFT_OUT}
    if "properties" in schema and name == "dict":
        written["properties"] = {
            field: bfcl_schema(inner) for field, inner in schema["properties"].items()
        }
    if name == "array":
        written["items"] = bfcl_schema(schema.get("items", {}))
    return written


def json_schema(schema: Any) -> Any:
    """Convert a schema of the leaderboard to JSON Schema.

    Names of types that JSON Schema does not have are left unchanged.
    """
    if not isinstance(schema, dict):
        return schema
    read = {word: value for word, value in schema.items() if word != "type"}
    kind = schema.get("type")
    name = kind.casefold() if isinstance(kind, str) else None
    if kind is not None and name != "any":
        read["type"] = JSON_TYPES.get(name, kind) if name is not None else kind
    if isinstance(schema.get("properties"), dict):
        read["properties"] = {
            field: json_schema(inner) for field, inner in schema["properties"].items()
        }
    if "items" in schema:
        read["items"] = json_schema(schema["items"])
        if read["items"] == {}:
            del read["items"]
    return read
