"""The form of a tool: a field for each argument, and the arguments that a sent form contains."""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer, OfferedTool
from benchloom.worlds.proving.parameters import Parameter, parameters_of
from benchloom.worlds.runs.replies import REPLY

PREFIX = "argument."
"""How the names of a tool's fields begin, apart from the other fields of its form."""
Control: TypeAlias = Literal["choice", "json", "number", "text"]
_JSON = ("array", "object")
_NUMBERS = ("integer", "number")


class Field(msgspec.Struct, frozen=True):
    """One argument: its control, the choices of a choice, and what the tool says of it."""

    name: str
    control: Control
    required: bool
    about: str
    choices: tuple[str, ...] = ()


class ToolForm(msgspec.Struct, frozen=True):
    """One tool as a form."""

    name: str
    tool: str
    about: str
    fields: tuple[Field, ...]


def forms_of(offer: Offer) -> Iterator[ToolForm]:
    """Yield the forms of the offered tools, sorted by name."""
    for offered in offer.tools.values():
        if offered.name != REPLY:
            about = offer.world.tools[offered.tool].parameters
            fields = tuple(
                _field(name, parameter, about.get(name, ""))
                for name, parameter in _parameters(offer, offered).items()
            )
            yield ToolForm(offered.name, offered.tool, offered.about, fields)


def arguments_in(offer: Offer, name: str, form: Mapping[str, str]) -> dict[str, Plain]:
    """Return the arguments in a sent form; an empty field that is not required is left out.

    A value that is not of the argument's type stays a text, which the tool refuses.
    """
    offered = offer.tools.get(name)
    if offered is None:
        return {}
    return {
        argument: _value(parameter, form.get(PREFIX + argument, ""))
        for argument, parameter in _parameters(offer, offered).items()
        if parameter.required or form.get(PREFIX + argument)
    }


def _parameters(offer: Offer, offered: OfferedTool) -> Mapping[str, Parameter]:
    return parameters_of(offer.world.tools[offered.tool])


def _field(name: str, parameter: Parameter, about: str) -> Field:
    choices = tuple(str(value) for value in parameter.values)
    control: Control = "text"
    if "boolean" in parameter.types and not choices:
        choices = ("true", "false")
    if choices:
        control = "choice"
    elif not parameter.types.isdisjoint(_JSON):
        control = "json"
    elif not parameter.types.isdisjoint(_NUMBERS):
        control = "number"
    return Field(name, control, parameter.required, about, choices)


def _value(parameter: Parameter, text: str) -> Plain:
    if "string" in parameter.types or not text:
        return text
    try:
        value: Plain = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
    return value
