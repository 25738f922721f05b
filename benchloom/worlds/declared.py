"""Tools that a definition tells, and no function of their own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from benchloom.records.values import Plain
from benchloom.worlds.state import State
from benchloom.worlds.tool import Tool, with_description


class Declared(msgspec.Struct, frozen=True):
    """An argument; `kind` is its type. One that is not required may be left out.

    `default` is what stands for it then, where something does: schemas tell it, the handler sees
    only what was given.
    """

    name: str
    kind: Any
    required: bool
    about: str = ""
    default: Plain = None


class DeclaredTool(Tool):
    """A tool made from a definition: `handler` gets the state and what was given, by name.

    Names of arguments may be any texts, no two the same. `result` is the type of what the handler
    gives back.
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
        self.parameters = {one.name: one.about for one in arguments if one.about}
        self.reads = reads
        self.result = result
        names = {f"argument_{place}": one.name for place, one in enumerate(arguments)}
        fields: list[Any] = []
        for attribute, one in zip(names, arguments, strict=True):
            kind = with_description(one.kind, one.about)
            if one.default is not None:
                kind = Annotated[kind, msgspec.Meta(extra_json_schema={"default": one.default})]
            bare = (attribute, kind)
            fields.append(bare if one.required else (attribute, kind | UnsetType, UNSET))
        self.arguments = msgspec.defstruct(
            name, fields, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=names
        )

        def called(state: State, **given: Any) -> object:
            told = {names[key]: value for key, value in given.items() if value is not UNSET}
            return handler(state, told)

        self._function = called
