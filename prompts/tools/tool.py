"""Define the form in which prompts show API definitions to a model as tools."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.columns import DefinitionRow, ParameterRow, about, iter_definitions
from prompts.data_block import clean_text

MAX_TEXT = 240
EDITOR_SWITCHES = frozenset({"ShowWhenRun", "OpenWhenRun"})
"""Parameters that only decide whether an action's window is shown, which nobody asks for."""


class ToolParameter(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One parameter of a tool; `values` are the allowed values of an enumeration.

    If `is_list`, the parameter takes a list of values of its type.
    """

    name: str
    type: str
    description: str = ""
    is_list: bool = False
    optional: bool = False
    values: tuple[str, ...] = ()


class ToolField(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One value that a tool returns, or a list of values if `is_list`."""

    name: str
    type: str
    is_list: bool = False


class Tool(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An API definition as a model sees it."""

    api: str
    title: str
    description: str
    parameters: tuple[ToolParameter, ...] = ()
    returns: tuple[ToolField, ...] = ()
    app: str = ""

    def search_text(self) -> str:
        """Return the text of the tool that a search compares with the request."""
        names = " ".join(parameter.name for parameter in self.parameters)
        return f"{self.api} {self.title} {self.description} {names}"


def read_tools(folder: Path) -> Iterator[Tool]:
    """Yield the tools of a folder, in the order of the table `api_definitions`."""
    for row in iter_definitions(folder):
        yield _tool(row)


def _tool(row: DefinitionRow) -> Tool:
    return Tool(
        api=row.api,
        app=row.app or "",
        title=_short(row.title) or row.api.rpartition(".")[2],
        description=_short(row.description),
        parameters=tuple(
            _parameter(entry) for entry in row.parameters if entry.name not in EDITOR_SWITCHES
        ),
        returns=tuple(
            ToolField(entry.name or "result", entry.type, entry.multiple) for entry in row.returns
        ),
    )


def _parameter(row: ParameterRow) -> ToolParameter:
    return ToolParameter(
        name=row.name,
        type=row.type,
        description=_short(row.description) or _short(row.title),
        is_list=row.multiple,
        optional=row.optional is not False,
        values=tuple(entry.title or entry.value for entry in row.enum_values),
    )


def _short(text: str | None) -> str:
    return clean_text(about(text), MAX_TEXT)
