"""Rows of `api_definitions` with the columns that prompts read."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.reading import iter_columns

TABLE = "api_definitions"
_EDITOR_NOTES = ("Placeholder:", "true: On; false: Off")
_FLAG = re.compile(r"^Boolean flag (?:indicating |for )?(?:if|whether)\b", re.IGNORECASE)


class EnumRow(msgspec.Struct, frozen=True):
    """One allowed value and the text that people see for it."""

    value: str
    title: str | None


class ParameterRow(msgspec.Struct, frozen=True):
    """One parameter of an API definition."""

    name: str
    title: str | None
    description: str | None
    type: str
    type_kind: str
    optional: bool | None
    enum_values: tuple[EnumRow, ...]


class ReturnRow(msgspec.Struct, frozen=True):
    """One value that an API returns."""

    name: str | None
    type: str


class DefinitionRow(msgspec.Struct, frozen=True):
    """One API definition."""

    definition_id: str
    api: str
    app: str | None
    title: str | None
    description: str | None
    parameters: tuple[ParameterRow, ...]
    returns: tuple[ReturnRow, ...]


def about(text: str | None) -> str:
    """Return a description on one line, without notes about the editor or the parameter's type.

    Some descriptions say what the editor shows in an empty field, or call a boolean a flag.
    """
    lines = (line.strip() for line in (text or "").split("\n"))
    description = " ".join(line for line in lines if not line.startswith(_EDITOR_NOTES))
    return _FLAG.sub("Whether", " ".join(description.replace("<no loc>", "").split()))


def iter_definitions(folder: Path) -> Iterator[DefinitionRow]:
    """The definitions of a folder, in the order of the table.

    Raises:
        RunError: the table is missing, unreadable, or lacks a column.
    """
    return iter_columns(folder, TABLE, DefinitionRow)
