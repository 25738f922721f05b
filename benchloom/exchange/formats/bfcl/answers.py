"""Read and write BFCL's answers, which list the accepted values of each argument of a call.

The leaderboard's checker compares an argument with each accepted value. If the parameter is an
object or a list of objects, each field of an object has its own list of accepted values; deeper
values are compared directly. An empty text among several values means that the parameter or field
may be left out.
"""

import ast
import keyword
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.definition_schema import Schema
from benchloom.exchange.examples.call_messages import RenderedCall
from benchloom.exchange.examples.message_calls import ForeignCall

_OMISSIBLE = ""
Accepted = dict[str, list[Any]]
_ELEMENTS: dict[str, type] = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "dict": dict,
}  # fmt: skip
"""Maps the declared type of list elements to their Python type in the checker; default: str."""


def accepted(call: RenderedCall, schema: Schema) -> dict[str, Accepted]:
    """Return the accepted values of a call's arguments, in the leaderboard's form of an answer.

    `schema` is the schema of the tool. An optional parameter also accepts its default, and may be
    left out.
    """
    properties: Mapping[str, Any] = schema["properties"]  # type: ignore[assignment]  # our own schema has an object here
    required: list[str] = schema.get("required", [])  # type: ignore[assignment]  # our own schema has texts here
    answer: Accepted = {}
    for name, value in call.arguments.items():
        parameter = properties.get(name, {})
        answer[name] = [_accepted_value(value, parameter)]
        if name not in required and "default" in parameter and parameter["default"] == value:
            answer[name].append(_OMISSIBLE)
    for name, parameter in properties.items():
        if name not in answer and name not in required and "default" in parameter:
            answer[name] = [_accepted_value(parameter["default"], parameter), _OMISSIBLE]
    return {call.name: answer}


def _accepted_value(value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if kind == "dict" and isinstance(value, dict):
        return {name: [field] for name, field in value.items()}
    if kind == "array" and schema["items"].get("type") == "dict" and isinstance(value, list):
        return [_accepted_value(item, schema["items"]) for item in value]
    return value


def is_comparable_list(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether the leaderboard's checker can accept a list as the value of an array parameter.

    The checker accepts no list with elements of several types.
    """
    if not isinstance(value, list):
        return True
    declared = _ELEMENTS.get(schema["items"].get("type"), str)
    first = next((type(item) for item in value if item != _OMISSIBLE), None)
    return all(type(item) in {declared, first} for item in value)


def answered_call(answer: Any, schemas: Mapping[str, Any]) -> ForeignCall:
    """Convert an answer, which lists the accepted values of each parameter, to one call.

    Each argument gets the first of its accepted values that the parameter's `enum` allows.
    Parameters that may be left out are left out. `schemas` maps the name of a tool to the JSON
    Schema of its parameters.

    Raises RejectedInputError if the answer has another shape.
    """
    if not isinstance(answer, dict) or len(answer) != 1:
        raise RejectedInputError(
            "unexpected_shape", "an answer is not an object with exactly one function"
        )
    ((name, parameters),) = answer.items()
    if not isinstance(parameters, dict):
        raise RejectedInputError(
            "unexpected_shape", f"the answer of {name} is not an object of parameters"
        )
    return ForeignCall(name, _fields(parameters, _mapping(schemas.get(name)), name, _plain))


def _fields(
    fields: Mapping[str, Any],
    schema: Mapping[str, Any],
    location: str,
    plain: Callable[[Any, Mapping[str, Any]], Any],
) -> dict[str, Any]:
    """Choose one of the accepted values for each field of an object.

    `plain` removes the inner lists of accepted values from a chosen value.
    """
    properties, required = _mapping(schema.get("properties")), schema.get("required")
    listed = required if isinstance(required, list) else []
    demanded = {text for text in listed if isinstance(text, str)}
    chosen = {}
    for name, values in fields.items():
        if not isinstance(values, list):
            raise RejectedInputError(
                "unexpected_shape", f"the answer of {location} has no list of values for {name}"
            )
        field_schema = _mapping(properties.get(name))
        value = _chosen(values, field_schema, is_demanded=name in demanded)
        if value is not msgspec.UNSET:
            chosen[name] = plain(value, field_schema)
    return chosen


def _chosen(values: Sequence[Any], schema: Mapping[str, Any], *, is_demanded: bool) -> Any:
    """Choose one of the accepted values of a field.

    Returns UNSET if no value is accepted, or if the field may be left out.
    """
    if not values or (_OMISSIBLE in values and len(values) > 1 and not is_demanded):
        return msgspec.UNSET
    candidates = [value for value in values if value != _OMISSIBLE] or list(values)
    cases = schema.get("enum")
    if isinstance(cases, list):
        candidates = [value for value in candidates if value in cases] or candidates
    return candidates[0]


def _plain(value: Any, schema: Mapping[str, Any]) -> Any:
    kind, items = schema.get("type"), _mapping(schema.get("items"))
    if isinstance(value, dict) and (kind == "object" or (kind is None and _has_lists(value))):
        return _fields(value, schema, "an object", _inner) if _has_lists(value) else value
    if isinstance(value, list):
        return [_plain(item, items) if isinstance(item, dict) else item for item in value]
    return value


def _inner(value: Any, schema: Mapping[str, Any]) -> Any:
    """Replace each list of accepted values inside an object by its first value.

    Fields for which the schema declares a list keep the list.
    """
    properties, items = _mapping(schema.get("properties")), _mapping(schema.get("items"))
    if isinstance(value, dict):
        field_schemas = {name: _mapping(properties.get(name)) for name in value}
        return {
            name: _inner(_unlist(field, field_schemas[name]), field_schemas[name])
            for name, field in value.items()
        }
    if isinstance(value, list):
        return [_inner(item, items) for item in value]
    return value


def _unlist(value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if isinstance(value, list) and value and isinstance(kind, str) and kind != "array":
        return next((item for item in value if item != _OMISSIBLE), value[0])
    return value


def _has_lists(value: Mapping[str, Any]) -> bool:
    return all(isinstance(field, list) for field in value.values())


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def call_text(call: RenderedCall) -> str | None:
    """Write a call as a Python expression, or return None if a name is not valid in Python."""
    names = [*call.name.split("."), *call.arguments]
    if not all(name.isidentifier() and not keyword.iskeyword(name) for name in names):
        return None
    arguments_text = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return f"{call.name}({arguments_text})"


def read_call(text: str) -> ForeignCall:
    """Read the call in a Python expression, which is parsed and never run.

    Raises RejectedInputError if the text is not a call with named arguments that are literals.
    """
    try:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            arguments = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
            return ForeignCall(ast.unparse(call.func), arguments)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RejectedInputError("damaged_call", f"not a call: {error}") from error
    raise RejectedInputError(
        "damaged_call", "expected one call with named arguments, such as f(x=1)"
    )
