"""Tools that are declared by a definition instead of by a Python function."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from benchloom.core.records.values import Plain
from benchloom.worlds.state import State
from benchloom.worlds.tool import Tool, with_description


class Declared(msgspec.Struct, frozen=True):
    """An argument of a declared tool; `kind` is its type, and it may be optional.

    `default` is the value of an omitted argument, if it has a default. JSON Schemas contain the
    default, but the handler receives only the arguments that were passed.
    """

    name: str
    kind: Any
    required: bool
    about: str = ""
    default: Plain = None


class DeclaredTool(Tool):
    """A tool made from a definition: `handler` gets the state and the passed arguments by name.

    Names of arguments may be any texts, but must be distinct. `result` is the type of the
    handler's return value.
    """

    def __init__(
        self,
        app: str,
        name: str,
        about: str,
        arguments: Sequence[Declared],
        handler: Callable[[State, Mapping[str, Plain]], object],
        *,
        result: Any,
        reads: bool,
    ) -> None:
        self.app, self.name, self.about = app, name, about
        self.parameters = {
            argument.name: argument.about for argument in arguments if argument.about
        }
        self.reads = reads
        self.result = result
        names = {
            f"argument_{position}": argument.name for position, argument in enumerate(arguments)
        }
        fields: list[Any] = []
        for attribute, argument in zip(names, arguments, strict=True):
            kind = with_description(argument.kind, argument.about)
            if argument.default is not None:
                kind = Annotated[
                    kind, msgspec.Meta(extra_json_schema={"default": argument.default})
                ]
            bare = (attribute, kind)
            fields.append(bare if argument.required else (attribute, kind | UnsetType, UNSET))
        self.arguments = msgspec.defstruct(
            name, fields, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=names
        )

        def called(state: State, **values: Any) -> object:
            call_arguments = {
                names[key]: value for key, value in values.items() if value is not UNSET
            }
            return handler(state, call_arguments)

        self._function = called
