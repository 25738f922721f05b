"""Convert tools in API-Bank's form to API definitions, and back.

Tools have the form `{name, description, input_parameters, output_parameters}`. In training rows
these fields are called `apiCode`, `description`, `parameters` and `response`. Types are Python's,
or similar: `str`, `List[str]`, `list(str)`, `Union[List[dict], dict]`.
"""

import re
from collections.abc import Iterator, Mapping

from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.exchange.examples.dialogues import Rights
from benchloom.exchange.foreign import specifications
from benchloom.exchange.foreign.specifications import (
    Dialect,
    FieldType,
    decoded,
    definition_name,
)

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
EXCEPTION = "exception"  # the `kind` of a note with the text of an error
Tool = Mapping[str, Plain]


def type_of(text: str) -> FieldType:
    """Convert the name of a Python type to a `FieldType`; `List[str]` is a list of `string` values.

    An unknown name is returned unchanged.
    """
    match = _LIST.fullmatch(text.strip())
    if match:
        element_type = type_of(match[1] or match[2])
        return element_type._replace(multiple=True)
    if text.startswith("Union["):
        return FieldType(text, "object")
    name = _OURS.get(text, text)
    return FieldType(name, _KINDS.get(name, "primitive"))


def _field_type(field: Mapping[str, Plain]) -> FieldType:
    text = field.get("type")
    return type_of(text if isinstance(text, str) else "")


_DIALECT = Dialect(_NAMES, _INPUTS, _OUTPUTS, _field_type, is_split=True)


def type_text(name: str, *, multiple: bool) -> str:
    """Convert the name of a type in definitions to the name of a Python type."""
    python_name = _PYTHON.get(name, name)
    return f"List[{python_name}]" if multiple else python_name


def is_tool(value: Plain) -> bool:
    """Whether a JSON value describes a tool in one of API-Bank's forms."""
    return isinstance(value, dict) and any(
        isinstance(value.get(name), str) and fields in value
        for name, fields in zip(_NAMES, _INPUTS, strict=True)
    )


def tools_in(value: Plain) -> Iterator[dict[str, Plain]]:
    """Yield the tools that a result describes, which may be a single tool or a list of tools."""
    for candidate in value if isinstance(value, list) else (value,):
        if isinstance(candidate, dict) and is_tool(candidate):
            yield candidate


def definition_of(tool: Tool, source_uri: str) -> ApiDefinition:
    """Convert a tool to an API definition; fields without a counterpart are stored in `unknown`.

    Raises RejectedInputError if the tool has no name, or is nested too deeply.
    """
    return specifications.definition_of(dict(tool), KIND, source_uri, dialect=_DIALECT)


def tool_of(definition: ApiDefinition) -> dict[str, Plain]:
    """Convert an API definition to a tool in API-Bank's form."""
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
    further = {
        note.path: decoded(note.value)
        for note in definition.unknown
        if "/" not in note.path and note.path not in _FIELDS
    }
    return {
        "name": definition_name(definition),
        "description": definition.description or "",
        "input_parameters": inputs,
        "output_parameters": outputs,
        **further,
    }


def keeps(definition: ApiDefinition, tool: Tool) -> bool:
    """Whether `tool`, which was written from a definition, contains the whole definition.

    The texts of errors that the API may return are always lost, because tools cannot contain them.
    """
    again = definition_of(tool, definition.source_uri)
    return (
        definition_name(again) == definition_name(definition)
        and all(
            getattr(again, attribute) == getattr(definition, attribute) for attribute in _COMPARED
        )
        and not any(note.kind != EXCEPTION for note in definition.notes)
    )
