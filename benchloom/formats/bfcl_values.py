"""Schemas, answers and calls as the Berkeley leaderboard writes them, and back."""

import ast
import keyword
from collections.abc import Mapping
from typing import Any

from benchloom.examples.hearing import HeardCall, UnheardError
from benchloom.examples.telling import ToldCall
from benchloom.rendering.definition_schema import Schema

_TYPES = {"object": "dict", "number": "float"}
_BACK = {"dict": "object", "float": "number", "tuple": "array"}


def bfcl_schema(schema: Mapping[str, Any]) -> Schema:
    """A JSON Schema in the leaderboard's words; what may be of several types is `any`."""
    kind = schema.get("type")
    found: Schema = {"type": _TYPES.get(kind, kind) if isinstance(kind, str) else "any"}
    found |= {
        word: value
        for word, value in schema.items()
        if word not in {"type", "properties", "items", "title", "additionalProperties"}
    }
    if "properties" in schema and isinstance(kind, str):
        found["properties"] = {name: bfcl_schema(one) for name, one in schema["properties"].items()}
    if kind == "array":
        found["items"] = bfcl_schema(schema.get("items", {}))
    return found


def json_schema(schema: Any) -> Any:
    """A schema of the leaderboard as JSON Schema."""
    if not isinstance(schema, dict):
        return schema
    found = {word: value for word, value in schema.items() if word != "type"}
    kind = schema.get("type")
    if kind is not None and kind != "any":
        found["type"] = _BACK.get(kind, kind) if isinstance(kind, str) else kind
    if isinstance(schema.get("properties"), dict):
        found["properties"] = {n: json_schema(one) for n, one in schema["properties"].items()}
    if "items" in schema:
        found["items"] = json_schema(schema["items"])
        if found["items"] == {}:
            del found["items"]
    return found


def accepted(call: ToldCall, schema: Schema) -> dict[str, dict[str, list[Any]]]:
    """The answer for a call: each parameter with what is accepted for it.

    An empty text among the accepted means that the parameter may be left out; it stands where the
    value is the default, and for defaults of parameters that are not given.
    """
    properties: Mapping[str, Any] = schema["properties"]  # type: ignore[assignment]  # an object, as we made it
    required: list[str] = schema.get("required", [])  # type: ignore[assignment]  # texts, as we made it
    answer: dict[str, list[Any]] = {}
    for name, value in call.arguments.items():
        one = properties.get(name, {})
        answer[name] = [_wrapped(value)]
        if name not in required and "default" in one and one["default"] == value:
            answer[name].append("")
    for name, one in properties.items():
        if name not in answer and name not in required and "default" in one:
            answer[name] = [_wrapped(one["default"]), ""]
    return {call.name: answer}


def _wrapped(value: Any) -> Any:
    """A value as the checker wants it: each field of an object is a list of accepted values."""
    if isinstance(value, dict):
        return {name: [_wrapped(one)] for name, one in value.items()}
    if isinstance(value, list):
        return [_wrapped(one) for one in value]
    return value


def heard_answer(answer: Any) -> HeardCall:
    """The call of an answer: the first value that is accepted; what may be left out is.

    Raises:
        UnheardError: no such answer.
    """
    if not isinstance(answer, dict) or len(answer) != 1:
        raise UnheardError("unexpected_shape", "an answer is no object of one function")
    ((name, told),) = answer.items()
    if not isinstance(told, dict) or not all(isinstance(one, list) for one in told.values()):
        raise UnheardError("unexpected_shape", f"the answer of {name} lists no values")
    given = {
        key: _unwrapped(values[0]) for key, values in told.items() if values and not _free(values)
    }
    return HeardCall(name, given)


def _free(values: list[Any]) -> bool:
    return len(values) > 1 and "" in values


def _unwrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _unwrapped(one[0] if isinstance(one, list) and one else one)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [_unwrapped(one) for one in value]
    return value


def call_text(call: ToldCall) -> str | None:
    """A call as an expression of Python; None where a name is none of Python's."""
    if not all(name.isidentifier() and not keyword.iskeyword(name) for name in call.arguments):
        return None
    given = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return f"{call.name}({given})"


def heard_call(text: str) -> HeardCall:
    """The call of an expression of Python, which is read and never run.

    Raises:
        UnheardError: it is no call with plain named arguments.
    """
    try:
        found = ast.parse(text, mode="eval").body
        if isinstance(found, ast.Call) and not found.args and all(k.arg for k in found.keywords):
            given = {str(k.arg): ast.literal_eval(k.value) for k in found.keywords}
            return HeardCall(ast.unparse(found.func).replace(".", "__"), given)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnheardError("damaged_call", f"no call: {error}") from error
    raise UnheardError("damaged_call", "no call with named arguments")
