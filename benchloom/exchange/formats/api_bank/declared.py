"""Tools in API-Bank's form: `{name, description, input_parameters, output_parameters}`.

Training rows call the same fields `apiCode`, `parameters` and `response`. Types are Python's,
or approximations of them: `str`, `List[str]`, `list(str)`, `Union[List[dict], dict]`.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition
from benchloom.core.records.api_definition import (
    DefinitionSource,
    Parameter,
    Return,
    Unknown,
    sealed,
)
from benchloom.core.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.exchange.examples.dialogues import Rights
from benchloom.exchange.foreign.specifications import definition_name, split_name

KIND = "api-bank"  # the source of examples and definitions
RIGHTS = Rights(
    "Apache-2.0", "API-Bank, https://github.com/AlibabaResearch/DAMO-ConvAI/tree/main/api-bank"
)
_NAMES = ("name", "apiCode")
_INPUTS = ("input_parameters", "parameters")
_OUTPUTS = ("output_parameters", "response")
_FIELDS = frozenset({*_NAMES, *_INPUTS, *_OUTPUTS, "description"})
_PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_OURS = {python: ours for ours, python in _PYTHON.items()}
_KINDS = {"list": "array", "tuple": "array", "dict": "object", "object": "object", "file": "file"}
_LIST = re.compile(r"[Ll]ist\s*[\[(]\s*([A-Za-z_]\w*)\s*[\])]|list of (dict)ionaries")
_COMPARED = ("description", "parameters", "returns", "title", "unknown")
EXCEPTION = "exception"  # the kind of a note that is the text of an error
_ENCODER = msgspec.json.Encoder(order="deterministic")
Tool = Mapping[str, Plain]


class Type(msgspec.Struct, frozen=True):
    """A type in the form that our definitions use."""

    name: str
    kind: str
    multiple: bool = False


def type_of(text: str) -> Type:
    """Read the type in a text; an unknown type stays as it is written."""
    match = _LIST.fullmatch(text.strip())
    if match:
        element_type = type_of(match[1] or match[2])
        return Type(element_type.name, element_type.kind, multiple=True)
    if text.startswith("Union["):
        return Type(text, "object")
    name = _OURS.get(text, text)
    return Type(name, _KINDS.get(name, "primitive"))


def type_text(name: str, *, multiple: bool) -> str:
    """A type as Python writes it."""
    python_name = _PYTHON.get(name, name)
    return f"List[{python_name}]" if multiple else python_name


def is_tool(value: Plain) -> bool:
    """Whether a value describes a tool."""
    return isinstance(value, dict) and any(
        isinstance(value.get(name), str) and fields in value
        for name, fields in zip(_NAMES, _INPUTS, strict=True)
    )


def tools_in(value: Plain) -> Iterator[dict[str, Plain]]:
    """Yield the tools that a result describes; the result may be a tool or a list of tools."""
    for candidate in value if isinstance(value, list) else (value,):
        if isinstance(candidate, dict) and is_tool(candidate):
            yield candidate


def definition_of(tool: Tool, source_uri: str) -> ApiDefinition:
    """The definition of one tool; fields that a definition lacks are stored in its `unknown`.

    Raises:
        RejectedInputError: the tool has no name, or is nested too deeply.
    """
    name = next((tool[key] for key in _NAMES if tool.get(key)), None)
    if not isinstance(name, str) or not name.strip():
        raise RejectedInputError("no_name", "a tool without a name")
    if depth_of(dict(tool)) > MAX_DEPTH:
        raise RejectedInputError("too_deep", f"nested deeper than {MAX_DEPTH}")
    digest = tagged_digest("tool", _ENCODER.encode(dict(tool)))
    unknown = [_unknown(key, value) for key, value in tool.items() if key not in _FIELDS]
    app, api = split_name(name.strip())
    description = tool.get("description")
    return sealed(
        ApiDefinition(
            definition_id="",
            api=api,
            app=app or None,
            source_kind=KIND,
            description=description if isinstance(description, str) and description else None,
            parameters=tuple(
                _parameter(key, field, unknown) for key, field in _fields(tool, _INPUTS, unknown)
            ),
            returns=tuple(
                _return(key, field, unknown) for key, field in _fields(tool, _OUTPUTS, unknown)
            ),
            source_uri=source_uri,
            source_digest=digest,
            sources=(DefinitionSource(KIND, source_uri, digest),),
            unknown=tuple(unknown),
        )
    )


def tool_of(definition: ApiDefinition) -> dict[str, Plain]:
    """A definition as a tool."""
    inputs: dict[str, Plain] = {}
    for parameter in definition.parameters:
        field: dict[str, Plain] = {
            "type": type_text(parameter.type, multiple=parameter.multiple),
            "description": parameter.description or "",
        }
        if parameter.optional is not None:
            field["required"] = not parameter.optional
        inputs[parameter.name] = field
    outputs: dict[str, Plain] = {
        output.name: {
            "type": type_text(output.type, multiple=output.multiple),
            "description": output.description or "",
        }
        for output in definition.returns
        if output.name is not None
    }
    further = {note.path: msgspec.json.decode(note.value) for note in _whole(definition.unknown)}
    return {
        "name": definition_name(definition),
        "description": definition.description or "",
        "input_parameters": inputs,
        "output_parameters": outputs,
        **further,
    }


def keeps(definition: ApiDefinition, tool: Tool) -> bool:
    """Whether the written tool contains all that the definition says, except its errors."""
    again = definition_of(tool, definition.source_uri)
    return (
        definition_name(again) == definition_name(definition)
        and all(
            getattr(again, attribute) == getattr(definition, attribute) for attribute in _COMPARED
        )
        and not any(note.kind != EXCEPTION for note in definition.notes)
    )


def _whole(unknown: tuple[Unknown, ...]) -> Iterator[Unknown]:
    for field in unknown:
        if "/" not in field.path and field.path not in _FIELDS and not field.value.endswith("…"):
            yield field


def _fields(
    tool: Tool, names: tuple[str, ...], unknown: list[Unknown]
) -> Iterator[tuple[str, Plain]]:
    for section in names:
        fields = tool.get(section)
        if isinstance(fields, dict):
            yield from fields.items()
        elif fields:
            unknown.append(_unknown(section, fields))


def _parameter(name: str, field: Plain, unknown: list[Unknown]) -> Parameter:
    declaration = _declared_field(name, field, unknown)
    field_type = type_of(declaration.type)
    return Parameter(
        name,
        field_type.name,
        field_type.kind,
        description=declaration.description or None,
        multiple=field_type.multiple,
        optional=None if declaration.required is None else not declaration.required,
    )


def _return(name: str, field: Plain, unknown: list[Unknown]) -> Return:
    declaration = _declared_field(name, field, unknown)
    field_type = type_of(declaration.type)
    return Return(
        name,
        field_type.name,
        field_type.kind,
        multiple=field_type.multiple,
        description=declaration.description or None,
    )


class _DeclaredField(msgspec.Struct, frozen=True):
    type: str
    description: str = ""
    required: bool | None = None


def _declared_field(name: str, field: Plain, unknown: list[Unknown]) -> _DeclaredField:
    if isinstance(field, str):
        return _DeclaredField(field)
    if not isinstance(field, dict):
        unknown.append(_unknown(f"{name}/", field))
        return _DeclaredField("")
    texts = {
        key: text for key in ("type", "description") if isinstance(text := field.get(key), str)
    }
    required = field.get("required")
    known_keys = {*texts, "required"} if isinstance(required, bool) else set(texts)
    unknown += [
        _unknown(f"{name}/{key}", value) for key, value in field.items() if key not in known_keys
    ]
    return _DeclaredField(
        texts.get("type", ""),
        texts.get("description", ""),
        required if isinstance(required, bool) else None,
    )


MAX_UNKNOWN = 500  # characters of a value that has no place in a definition


def _unknown(path: str, value: Plain) -> Unknown:
    text = _ENCODER.encode(value).decode()
    return Unknown(path, text if len(text) <= MAX_UNKNOWN else f"{text[: MAX_UNKNOWN - 1]}…")
