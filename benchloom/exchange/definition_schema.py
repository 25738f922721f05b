"""Convert an API definition to the JSON Schema (draft 2020-12) of an OpenAI or MCP tool's input.

A condition between parameters becomes an `if`/`then` rule only if it makes a parameter required:
"if `mode` is "file", `path` is required". All other conditions are in descriptions, because models
that call tools ignore rules. `fits` checks a value against a schema of this kind.
"""

import re
from collections.abc import Mapping
from typing import cast

import msgspec

from benchloom.core.records import ApiDefinition, Dependency, Parameter
from benchloom.core.records.values import Plain

Schema = dict[str, object]
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})", re.ASCII)
_RELATIONS = {
    "==": "is",
    "!=": "is not",
    ">": "is greater than",
    ">=": "is at least",
    "<": "is less than",
    "<=": "is at most",
    "contains": "contains",
    "does_not_contain": "does not contain",
    "has_value": "has any value",
    "has_no_value": "has no value",
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES: dict[str, Schema] = {
    "any": {},
    "array": {"type": "array"},
    "attributedstring": {"type": "string"},
    "bool": {"type": "boolean"},
    "boolean": {"type": "boolean"},
    "character": {"type": "string", "maxLength": 1},
    "date": {"type": "string", "description": "a date and time"},
    "datecomponents": {"type": "string", "description": "a date, a time, or both"},
    "decimal": {"type": "number"},
    "dict": {"type": "object"},
    "dictionary": {"type": "object"},
    "double": {"type": "number"},
    "emailaddress": {"type": "string"},
    "float": {"type": "number"},
    "int": {"type": "integer"},
    "integer": {"type": "integer"},
    "list": {"type": "array"},
    "none": {"type": "null"},
    "number": {"type": "number"},
    "object": {"type": "object"},
    "phonenumber": {"type": "string"},
    "str": {"type": "string"},
    "string": {"type": "string"},
    "text": {"type": "string"},
    "url": {"type": "string", "format": "uri"},
}
"""Maps the name of a type in lower case, in the spelling of any source, to its JSON Schema."""


def definition_schema(definition: ApiDefinition) -> Schema:
    """Return the JSON Schema of the arguments of a call of the defined API."""
    properties: Schema = {}
    for parameter in definition.parameters:
        properties[parameter.name] = parameter_schema(parameter)
    schema: Schema = {"$schema": DIALECT, "type": "object", "properties": properties}
    required = [p.name for p in definition.parameters if _is_demanded(p) and not p.depends_on]
    if required:
        schema["required"] = list(dict.fromkeys(required))
    rules = [
        rule for p in definition.parameters if _is_demanded(p) and (rule := _rule(p)) is not None
    ]
    if rules:
        schema["allOf"] = rules
    schema["additionalProperties"] = False
    return schema


def parameter_schema(parameter: Parameter) -> Schema:
    """Return the JSON Schema of a parameter, an array if the parameter takes several values."""
    value = _value_schema(parameter)
    if parameter.multiple and parameter.type_kind != "array":
        schema: Schema = {"type": "array", "items": value}
    else:
        schema = value
    if parameter.count_minimum is not None:
        schema["minItems"] = parameter.count_minimum
    if parameter.count_maximum is not None:
        schema["maxItems"] = parameter.count_maximum
    default = _default_of(parameter, schema)
    outside = default is not msgspec.UNSET and not fits(default, schema)
    notes = _notes(parameter, value, describe_default=outside)
    if notes:
        schema["description"] = notes
    if parameter.title:
        schema["title"] = parameter.title
    if default is not msgspec.UNSET and not outside:
        schema["default"] = default
    return schema


def _default_of(parameter: Parameter, schema: Schema) -> "Plain | msgspec.UnsetType":
    if parameter.default is None:
        return msgspec.UNSET
    try:
        default: Plain = msgspec.json.decode(parameter.default)
    except msgspec.DecodeError:  # an external source's default may not be JSON
        default = parameter.default
    is_list = schema.get("type") == "array"
    return [default] if is_list and not isinstance(default, list) else default


def _value_schema(parameter: Parameter) -> Schema:
    if parameter.type_kind == "enum":
        return _enum_schema(parameter)
    if parameter.type_kind == "array":
        return {"type": "array", "items": {}}
    if parameter.type_kind == "file":
        return {"type": "string", "description": "a path or URL of a file"}
    if parameter.type_kind == "entity":
        described = f"name or identifier of a {parameter.type}"
        return {"type": ["string", "object"], "description": described}
    if parameter.type_kind == "measurement":
        return _measurement_schema(parameter)
    schema = dict(_TYPES.get(parameter.type.casefold(), {"description": f"a {parameter.type}"}))
    if schema.get("type") in ("number", "integer"):
        schema.update(_bounds(parameter))
    return schema


def _enum_schema(parameter: Parameter) -> Schema:
    if not parameter.enum_values:
        return {"type": "string", "description": f"one of the cases of {parameter.type}"}
    values = list(dict.fromkeys(value.value for value in parameter.enum_values))
    if parameter.type.casefold() in {"integer", "int"}:
        return {"enum": [int(value) if _WHOLE.fullmatch(value) else value for value in values]}
    return {"type": "string", "enum": values}


def _measurement_schema(parameter: Parameter) -> Schema:
    """Return a schema that allows a number in the parameter's unit, or a number with its unit."""
    bounds = _bounds(parameter)
    return {
        "type": ["number", "object"],
        **bounds,
        "properties": {"value": {"type": "number", **bounds}, "unit": {"type": "string"}},
        "required": ["value"],
    }


def _bounds(parameter: Parameter) -> Schema:
    bounds = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    return {key: value for key, value in bounds.items() if value is not None}


def _notes(parameter: Parameter, value: Schema, *, describe_default: bool) -> str:
    parts = [parameter.description or str(value.get("description", ""))]
    titles = [
        f"{value.value}: {value.title}"
        for value in parameter.enum_values
        if value.title and value.title != value.value
    ]
    if titles:
        parts.append("Values: " + "; ".join(titles) + ".")
    if parameter.depends_on:
        parts.append(
            "Used when " + " and ".join(_condition_text(c) for c in parameter.depends_on) + "."
        )
    if parameter.unit:
        parts.append(f"In {parameter.unit}.")
    if parameter.file_types:
        parts.append(f"Accepts {', '.join(parameter.file_types)}.")
    if describe_default:  # a default outside the enum, such as a word for "any"
        parts.append(f"Without it: {parameter.default}.")
    # Several phrases become sentences; a single phrase is unchanged.
    phrases = [part for part in parts if part]
    return phrases[0] if len(phrases) == 1 else " ".join(_sentence(part) for part in phrases)


def _is_demanded(parameter: Parameter) -> bool:
    return parameter.optional is False and parameter.default is None


def _rule(parameter: Parameter) -> Schema | None:
    # Returns None if a schema cannot express one of the conditions.
    properties: Schema = {}
    names: list[str] = []
    for condition in parameter.depends_on:
        test = _test(condition)
        if test is None or condition.parameter in properties:
            return None
        properties[condition.parameter] = test
        names.append(condition.parameter)
    if not names:
        return None
    return {
        "if": {"properties": properties, "required": names},
        "then": {"required": [parameter.name]},
    }


def _test(condition: Dependency) -> Schema | None:
    if condition.parameter.startswith("@"):
        return None
    values = [msgspec.json.decode(value) for value in condition.values]
    if condition.relation == "==" and values:
        return {"enum": values}
    if condition.relation == "!=" and values:
        return {"not": {"enum": values}}
    return {} if condition.relation == "has_value" else None


def _condition_text(condition: Dependency) -> str:
    relation = _RELATIONS.get(condition.relation, condition.relation)
    values = " or ".join(condition.values)
    return f"{condition.parameter.removeprefix('@')} {relation} {values}".rstrip()


def _sentence(text: str) -> str:
    line = " ".join(text.split())
    return line if not line or line[-1] in ".?!:" else line + "."


def fits(value: Plain, schema: Mapping[str, object]) -> bool:
    """Whether a JSON Schema of this module allows a value.

    The keyword `format` is not checked.
    """
    type_name = schema.get("type")
    if type_name is not None:
        allowed = type_name if isinstance(type_name, list) else [type_name]
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
    """Whether two values are equal as JSON, where true and 1 differ, unlike in Python."""
    return isinstance(value, bool) == isinstance(other, bool) and value == other


def _within(measure: float, schema: Mapping[str, object], least: str, most: str) -> bool:
    low, high = schema.get(least), schema.get(most)
    return not (isinstance(low, int | float) and measure < low) and not (
        isinstance(high, int | float) and measure > high
    )
