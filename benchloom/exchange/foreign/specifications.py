"""Convert external JSON descriptions of tools to API definitions, and back.

Parameters are under `query_parameters`, `path_parameters`, `arguments` or `parameters`, as a
mapping of names or as a JSON Schema with `properties`. Results are under `output_parameters` or
`output_parameter`. Types have many spellings. Fields without a counterpart in a definition are
stored in its field `unknown`. A format with other names for sections or types has its own
`Dialect`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition
from benchloom.core.records.api_definition import (
    DefinitionSource,
    EnumValue,
    Parameter,
    Return,
    Unknown,
    sealed,
)
from benchloom.core.records.values import Plain, refuse_deep

PARAMETERS = ("query_parameters", "path_parameters", "arguments", "parameters")
OUTPUTS = ("output_parameters", "output_parameter")
_NAMES = ("name",)
_VALUES = ("enum", "allowed_values", "possible_values")
_DEFAULTS = ("default", "default_value")
_KINDS = {"array": "array", "list": "array", "object": "object", "dict": "object"}
_UNSEPARATED = ("type", "description", "required", "items", "properties")
MAX_UNKNOWN = 500  # maximum characters of a value in `unknown`
_ENCODER = msgspec.json.Encoder(order="deterministic")

Tool = dict[str, Plain]


def split_name(name: str) -> tuple[str, str]:
    """Split the name of a call at its first dot into app and API.

    Without a dot, the app is empty.
    """
    app, dot, api = name.partition(".")
    return (app, api) if dot and app and api else ("", name)


def call_name(app: str, api: str) -> str:
    """Join app and API with a dot to the name of a call, which `split_name` can split."""
    return f"{app}.{api}" if app else api


def definition_name(definition: ApiDefinition) -> str:
    """Return the name by which calls refer to a definition: app and API, joined with a dot.

    If the API begins with the name of its app, the app is not repeated.
    """
    app = definition.app or ""
    if app and not definition.api.startswith(f"{app}."):
        return f"{app}.{definition.api}"
    return definition.api


class FieldType(NamedTuple):
    """The type of a parameter or an output.

    If `multiple` is true, the parameter or output is a list of values of this type.
    """

    name: str
    kind: str
    multiple: bool = False


def type_of(field: Mapping[str, Plain]) -> FieldType:
    """Return the type of a field in a tool; an array of typed items has the type of its items."""
    own = field.get("type")
    name = "" if own is None else _text(own)
    items = field.get("items")
    inner = items.get("type") if isinstance(items, dict) else None
    multiple = name.casefold() == "array" and isinstance(inner, str) and inner != ""
    name = inner if multiple and isinstance(inner, str) else name
    return FieldType(name, _KINDS.get(name.casefold(), "primitive"), multiple)


class Dialect(NamedTuple):
    """The keys that a format uses for the parts of a tool, and its names of types.

    Attributes:
        names: the fields that may contain the tool's name.
        inputs: the fields that may contain the parameters.
        outputs: the fields that may contain the outputs.
        type_of: a function that returns the type of a parameter or output.
        is_split: whether the field `api` of a definition contains the name without the app.
    """

    names: tuple[str, ...] = _NAMES
    inputs: tuple[str, ...] = PARAMETERS
    outputs: tuple[str, ...] = OUTPUTS
    type_of: Callable[[Mapping[str, Plain]], FieldType] = type_of
    is_split: bool = False


USUAL = Dialect()


def definition_of(
    tool: Tool,
    source_kind: str,
    source_uri: str,
    digest: str | None = None,
    *,
    dialect: Dialect = USUAL,
) -> ApiDefinition:
    """Convert an external description of a tool to an API definition.

    Raises RejectedInputError if the tool has no name, or its parameters are not an object.
    """
    name = next((tool[key] for key in dialect.names if tool.get(key)), None)
    if not isinstance(name, str) or not name.strip():
        raise RejectedInputError("no_name", "a tool has no name")
    refuse_deep(tool)
    digest = digest or tagged_digest("tool", _ENCODER.encode(tool))
    unknown: list[Unknown] = []
    parameters = tuple(_parameters(tool, dialect, unknown))
    returns = tuple(_returns(tool, dialect, unknown))
    known_keys = {"description", *dialect.names, *dialect.inputs, *dialect.outputs}
    for key, value in tool.items():
        if key not in known_keys and value is not None:
            unknown.append(_unknown(key, value))
    description = tool.get("description")
    app, api = split_name(name.strip() if dialect.is_split else name)
    return sealed(
        ApiDefinition(
            definition_id="",
            api=api if dialect.is_split else name,
            app=app or None,
            source_kind=source_kind,
            description=description if isinstance(description, str) and description else None,
            parameters=parameters,
            returns=returns,
            unknown=tuple(sorted(unknown, key=lambda note: (note.path, note.value))),
            source_uri=source_uri,
            source_digest=digest,
            sources=(DefinitionSource(source_kind, source_uri, digest),),
        )
    )


def tool_of(definition: ApiDefinition, outputs: str = "output_parameters") -> Tool:
    """Convert an API definition to a tool that `definition_of` can convert back.

    `outputs` is the name of the field that contains the tool's outputs.
    """
    tool: Tool = {
        "name": definition_name(definition),
        "description": definition.description or "",
        "parameters": {parameter.name: _field(parameter) for parameter in definition.parameters},
        outputs: {
            output.name: _schema_of_type(output.type, output.description, multiple=output.multiple)
            for output in definition.returns
            if output.name is not None
        },
    }
    tool.update((note.path, note.value) for note in definition.unknown if note.path not in tool)
    return tool


def _parameters(tool: Tool, dialect: Dialect, unknown: list[Unknown]) -> Iterator[Parameter]:
    used_names: set[str] = set()
    for section, fields, required in _sections(tool, dialect.inputs):
        for name, field in fields.items():
            if name not in used_names:
                used_names.add(name)
                note = _noter(f"{section}/{name}", unknown)
                yield _parameter(name, _declaration_of(field, note), note, required, dialect)


def _sections(
    tool: Tool, names: tuple[str, ...]
) -> Iterator[tuple[str, Mapping[str, Plain], frozenset[str] | None]]:
    for section in names:
        section_schema = tool.get(section)
        if not section_schema:
            continue
        if not isinstance(section_schema, dict):
            raise RejectedInputError("wrong_shape", f"'{section}' is not an object")
        properties = section_schema.get("properties")
        if isinstance(properties, dict) and not _is_field(properties):
            listed = section_schema.get("required")
            names_of = listed if isinstance(listed, list) else []
            required = frozenset(name for name in names_of if isinstance(name, str))
            yield section, properties, required
        else:
            yield section, section_schema, None


def _is_field(properties: Mapping[str, Plain]) -> bool:
    """Whether the key `properties` is the name of a parameter, not the keyword of JSON Schema."""
    return isinstance(properties.get("type"), str) or isinstance(properties.get("description"), str)


Noter = Callable[[str, Plain], None]


def _noter(path: str, unknown: list[Unknown]) -> Noter:
    return lambda key, value: unknown.append(_unknown(f"{path}/{key}" if key else path, value))


def _unknown(path: str, value: Plain) -> Unknown:
    return Unknown(path, _text(value)[:MAX_UNKNOWN])


def _text(value: Plain) -> str:
    return value if isinstance(value, str) else _ENCODER.encode(value).decode()


def _declaration_of(field: Plain, note: Noter) -> Mapping[str, Plain]:
    """Return the declaration of a field as an object; some tools declare only a type: `"int"`."""
    if isinstance(field, dict):
        return field
    if isinstance(field, str):
        return {"type": field}
    note("", field)
    return {}


def _parameter(
    name: str,
    field: Mapping[str, Plain],
    note: Noter,
    required: frozenset[str] | None,
    dialect: Dialect,
) -> Parameter:
    values = _enum_values(field)
    default = next((field[key] for key in _DEFAULTS if field.get(key) is not None), None)
    optional = _optional(field) if required is None else name not in required
    known_keys = {*_UNSEPARATED, *_VALUES, *_DEFAULTS, "optional"}
    for key, value in field.items():
        if key not in known_keys and value is not None:
            note(key, value)
    field_type = dialect.type_of(field)
    description = field.get("description")
    return Parameter(
        name,
        field_type.name,
        "enum" if values else field_type.kind,
        description=description if isinstance(description, str) and description else None,
        multiple=field_type.multiple,
        optional=optional,
        default=None if default is None else _ENCODER.encode(default).decode(),
        enum_values=values,
    )


def _optional(field: Mapping[str, Plain]) -> bool | None:
    required, optional = field.get("required"), field.get("optional")
    if isinstance(required, bool):
        return not required
    return optional if isinstance(optional, bool) else None


def _enum_values(field: Mapping[str, Plain]) -> tuple[EnumValue, ...]:
    for key in _VALUES:
        choices = field.get(key)
        if isinstance(choices, list) and choices:
            texts = dict.fromkeys(_text(choice) for choice in choices)
            return tuple(EnumValue(text) for text in texts)
    return ()


def _returns(tool: Tool, dialect: Dialect, unknown: list[Unknown]) -> Iterator[Return]:
    used_names: set[str] = set()
    for section, fields, _ in _sections(tool, dialect.outputs):
        pending = [*reversed([*fields.items()])]
        while pending:
            name, field = pending.pop()
            if name in used_names:
                continue
            used_names.add(name)
            note = _noter(f"{section}/{name}", unknown)
            yield _return(name, _declaration_of(field, note), note, dialect)
            inside = _inside(field)
            pending += [
                (f"{name}.{inner_name}", inner_field)
                for inner_name, inner_field in reversed(inside.items())
            ]


def _inside(field: Plain) -> dict[str, Plain]:
    if not isinstance(field, dict):
        return {}
    for holder in (field, field.get("items")):
        properties = holder.get("properties") if isinstance(holder, dict) else None
        if isinstance(properties, dict):
            return properties
    return {}


def _return(name: str, field: Mapping[str, Plain], note: Noter, dialect: Dialect) -> Return:
    for key, value in field.items():
        if key not in _UNSEPARATED and value not in (None, []):
            note(key, value)
    field_type = dialect.type_of(field)
    description = field.get("description")
    return Return(
        name,
        field_type.name,
        field_type.kind,
        multiple=field_type.multiple,
        description=description if isinstance(description, str) and description else None,
    )


def _schema_of_type(kind: str, description: str | None, *, multiple: bool) -> dict[str, Plain]:
    schema: dict[str, Plain] = {"type": "array", "items": {"type": kind}} if multiple else {}
    if kind and not multiple:
        schema["type"] = kind
    if description:
        schema["description"] = description
    return schema


def _field(parameter: Parameter) -> dict[str, Plain]:
    schema = _schema_of_type(parameter.type, parameter.description, multiple=parameter.multiple)
    if parameter.optional is not None:
        schema["required"] = not parameter.optional
    if parameter.enum_values:
        schema["enum"] = [case.value for case in parameter.enum_values]
    if parameter.default is not None:
        schema["default"] = decoded(parameter.default)
    return schema


def decoded(text: str) -> Plain:
    """Decode a text if it is JSON, or return it unchanged."""
    try:
        value: Plain = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
    return value
