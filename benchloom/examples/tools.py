"""API definitions as tools with a JSON Schema for their arguments, and names that models accept."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from benchloom.errors import RunError
from benchloom.identity import digest_of_parts
from benchloom.records import ApiDefinition
from benchloom.records.api_definition import Parameter

if TYPE_CHECKING:
    from benchloom.records.values import Plain

LONGEST_NAME = 64
"""The longest name of a function that OpenAI's interface takes; it allows `[A-Za-z0-9_-]`."""
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
_TYPES = {
    "boolean": "boolean",
    "bool": "boolean",
    "integer": "integer",
    "int": "integer",
    "number": "number",
    "decimal": "number",
    "double": "number",
    "float": "number",
    "string": "string",
    "str": "string",
    "text": "string",
    "url": "string",
    "date": "string",
}
_EMPTY: Mapping[str, "Schema"] = {}


class Schema(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """The JSON Schema of a value or, with `type` object, of the arguments of a function.

    `type` is empty where any JSON value may stand.
    """

    type: str = ""
    description: str = ""
    enum: tuple[str, ...] = ()
    default: "Plain | msgspec.UnsetType" = msgspec.UNSET
    items: "Schema | None" = None
    minimum: float | None = None
    maximum: float | None = None
    properties: Mapping[str, "Schema"] | None = None
    required: tuple[str, ...] | None = None
    additional_properties: bool | None = None


class Tool(msgspec.Struct, frozen=True):
    """A function as it is told to a model."""

    name: str
    description: str
    parameters: Schema


def function_name(app: str | None, api: str) -> str:
    """A name within OpenAI's rules; one that is cut or changed ends in a digest of the whole."""
    whole = f"{app}__{api}" if app else api
    name = _NOT_ALLOWED.sub("_", whole)
    if len(name) <= LONGEST_NAME:
        return name
    mark = digest_of_parts("name", [whole]).rpartition(":")[2][:8]
    return f"{name[: LONGEST_NAME - 9]}_{mark}"


def tool_names(definitions: Iterable[ApiDefinition]) -> dict[str, str]:
    """The function names of definitions by `definition_id`; no two are alike."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for definition in definitions:
        name = function_name(definition.app, definition.api)
        if name in taken:
            mark = definition.definition_id.rpartition(":")[2][:8]
            name = f"{name[: LONGEST_NAME - 9]}_{mark}"
        if name in taken:
            raise RunError(f"two tools would be called {name}")
        taken.add(name)
        names[definition.definition_id] = name
    return names


def tool_of(definition: ApiDefinition, name: str) -> Tool:
    """A definition as a tool of this name."""
    shown = [parameter for parameter in definition.parameters if not parameter.hidden]
    parameters = Schema(
        type="object",
        properties={parameter.name: _schema(parameter) for parameter in shown},
        required=tuple(parameter.name for parameter in shown if parameter.optional is False),
        additional_properties=False,
    )
    return Tool(name, definition.description or definition.title or "", parameters)


def _schema(parameter: Parameter) -> Schema:
    one = _element(parameter)
    description = parameter.description or parameter.title or ""
    default = _default(parameter)
    if parameter.multiple:
        return Schema(type="array", items=one, description=description, default=default)
    return msgspec.structs.replace(one, description=description, default=default)


def _element(parameter: Parameter) -> Schema:
    if parameter.type_kind == "array":
        return Schema(type="array")
    if parameter.enum_values:
        return Schema(type="string", enum=tuple(one.value for one in parameter.enum_values))
    kind = _TYPES.get(parameter.type.casefold(), "") if parameter.type_kind == "primitive" else ""
    return Schema(type=kind, minimum=parameter.minimum, maximum=parameter.maximum)


def _default(parameter: Parameter) -> "Plain | msgspec.UnsetType":
    if parameter.default is None:
        return msgspec.UNSET
    try:
        decoded: Plain = msgspec.json.decode(parameter.default)
    except msgspec.DecodeError:
        return parameter.default
    return decoded
