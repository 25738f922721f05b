"""Whether a value fits a schema, for the words of JSON Schema that our schemas use."""

from collections.abc import Mapping
from typing import cast

from benchloom.core.records.values import Plain


def fits(value: Plain, schema: Mapping[str, object]) -> bool:
    """Whether a schema allows a value; `format` is a hint and never refuses a value."""
    named = schema.get("type")
    if named is not None:
        allowed = named if isinstance(named, list) else [named]
        if not any(_is_of(value, str(type_name)) for type_name in allowed):
            return False
    enum = schema.get("enum")
    if isinstance(enum, list) and not any(_same(value, allowed_value) for allowed_value in enum):
        return False
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        return _within(value, schema, "minimum", "maximum")
    if isinstance(value, str):
        return _within(len(value), schema, "minLength", "maxLength")
    if isinstance(value, list):
        items = cast("Mapping[str, object]", schema.get("items", {}))
        return _within(len(value), schema, "minItems", "maxItems") and all(
            fits(element, items) for element in value
        )
    properties = cast("Mapping[str, Mapping[str, object]]", schema.get("properties", {}))
    required = cast("list[str]", schema.get("required", []))
    return all(name in value for name in required) and all(
        fits(member, properties[name]) for name, member in value.items() if name in properties
    )


def _is_of(value: Plain, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return _is_whole(value)
        case "number":
            return _is_number(value)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "null":
            return value is None
        case _:
            return False


def _is_whole(value: Plain) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(value: Plain, other: object) -> bool:
    """Whether two values are equal as JSON, where true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and value == other


def _within(measure: float, schema: Mapping[str, object], least: str, most: str) -> bool:
    low, high = schema.get(least), schema.get(most)
    return not (isinstance(low, int | float) and measure < low) and not (
        isinstance(high, int | float) and measure > high
    )
