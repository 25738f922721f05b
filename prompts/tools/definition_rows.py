"""Rows of `api_definitions` with the columns that prompts read."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.reading import iter_columns

TABLE = "api_definitions"


class EnumRow(msgspec.Struct, frozen=True):
    """One allowed value and what people see for it."""

    value: str
    title: str | None


class ParameterRow(msgspec.Struct, frozen=True):
    """One parameter, as its definition tells it."""

    name: str
    title: str | None
    description: str | None
    type: str
    type_kind: str
    optional: bool | None
    enum_values: tuple[EnumRow, ...]


class ReturnRow(msgspec.Struct, frozen=True):
    """One value an API gives back."""

    name: str | None
    type: str


class DefinitionRow(msgspec.Struct, frozen=True):
    """One API, as its definition tells it."""

    definition_id: str
    api: str
    app: str | None
    title: str | None
    description: str | None
    parameters: tuple[ParameterRow, ...]
    returns: tuple[ReturnRow, ...]


def iter_definitions(folder: Path) -> Iterator[DefinitionRow]:
    """The definitions of a folder, in the order of the table.

    Raises:
        RunError: the table is missing, unreadable, or lacks a column.
    """
    return iter_columns(folder, TABLE, DefinitionRow)
