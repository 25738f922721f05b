"""Check the arguments of a call against the definition of its API."""

import datetime
import re
from collections.abc import Mapping

import msgspec

from benchloom.core.records import ApiDefinition, Dependency, Parameter
from benchloom.core.records.values import Plain
from benchloom.exchange.definition_schema import fits
from benchloom.worlds.state import RefusedError
from benchloom.worlds.tool import Schema

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_DATES = frozenset({"Date", "DateComponents"})


def check_arguments(
    definition: ApiDefinition, schema: Schema, arguments: Mapping[str, Plain]
) -> None:
    """Raise an error if the arguments of a call contradict the definition of the API.

    `schema` is the JSON Schema of the arguments.

    Raises:
        RefusedError: an argument is missing or unknown, has another type, is not one of the
            declared values, or is not allowed with the values of other arguments.
    """
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    for name in schema.get("required", ()):
        if name not in arguments:
            raise _refusal(definition, f"argument `{name}` is missing")
    for name, value in arguments.items():
        parameter = parameters.get(name)
        if parameter is None:
            raise _refusal(definition, f"unknown parameter `{name[:100]}`")
        if not fits(value, schema["properties"][name]) or not _is_of_type(value, parameter):
            raise _refusal(definition, f"argument `{name}` must be {_expected_type(parameter)}")
    values = {name: default_of(parameter) for name, parameter in parameters.items()} | {**arguments}
    for name in arguments:
        for condition in parameters[name].depends_on:
            if not _holds(condition, values):
                raise _refusal(
                    definition,
                    f"argument `{name}` is not allowed with this value of `{condition.parameter}`",
                )


def _refusal(definition: ApiDefinition, fault: str) -> RefusedError:
    return RefusedError("invalid_argument", f"{definition.api}: {fault}")


def _expected_type(parameter: Parameter) -> str:
    values = ", ".join(value.value for value in parameter.enum_values[:20])
    kind = f"one of {values}" if values else parameter.type
    return f"a list of {kind}" if parameter.multiple else kind


def _is_of_type(value: Plain, parameter: Parameter) -> bool:
    if isinstance(value, list) and parameter.multiple:
        return all(_is_of_type(member, parameter) for member in value)
    if parameter.type in _DATES and not _is_moment(str(value)):
        return False
    return parameter.type != "URL" or _URL.fullmatch(str(value)) is not None


def _is_moment(text: str) -> bool:
    for kind in (datetime.datetime, datetime.time):
        try:
            kind.fromisoformat(text)
        except ValueError:
            continue
        return True
    return False


def default_of(parameter: Parameter) -> Plain:
    """Return the default value that a definition declares for a parameter, or None."""
    if parameter.default is None:
        return None
    try:
        default: Plain = msgspec.json.decode(parameter.default)
    except msgspec.DecodeError:  # the source may have written invalid JSON
        default = parameter.default
    return default


def _holds(condition: Dependency, values: Mapping[str, Plain]) -> bool:
    """Whether the values meet a condition; conditions on undeclared parameters are always met."""
    if condition.parameter not in values:
        return True
    value = values[condition.parameter]
    condition_values = [msgspec.json.decode(text) for text in condition.values]
    match condition.relation:
        case "==":
            return value in condition_values
        case "!=":
            return value not in condition_values
        case "has_value":
            return value not in {None, ""} if isinstance(value, str | None) else True
        case "has_no_value":
            return value is None
        case _:
            return True
