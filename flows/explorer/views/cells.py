"""Build the cells of a list of rows, and the URLs of rows."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec

from benchloom.core.plain_words import shortened
from flows.explorer.open_release import Column, Table

_LONGEST = 180
_WIDE = 40
_LONGEST_WORD = 16
_OF_SHORTCUT = {"shortcut_id": "id", "source_digest": "bytes", "source_uri": "at"}
PAGES = {
    "shortcuts": ("/shortcut", _OF_SHORTCUT),
    "executions": ("/run", _OF_SHORTCUT),
    "planning_paths": ("/plan", {"path_id": "id"}),
    "dialogues": ("/conversation", {"source": "of", "source_uri": "at", "source_id": "id"}),
    "api_definitions": ("/api", {"api": "name"}),
    "apps": ("/app", {"app": "name"}),
    "tasks": ("/play", {"task_id": "task"}),
}
"""For each table whose rows have a separate page, the page's path and a mapping from key column to
query parameter."""


class Cell(msgspec.Struct, frozen=True):
    """One cell in a list of rows.

    `text` is the beginning of its value. `label` is its column name, which narrow windows show.
    `style` is its CSS class: n for numbers, w for long texts or words that may be broken.
    """

    label: str
    text: str
    style: str = ""


class ListedRow(msgspec.Struct, frozen=True):
    """One row of a list, with the URL of its page (empty if the row has no page)."""

    url: str
    cells: tuple[Cell, ...]


def listed_row(table: Table, columns: Sequence[Column], row: Mapping[str, Any]) -> ListedRow:
    """Convert a row to the form that a list shows."""
    cells = tuple(_cell(column, cell_text(row[column.name])) for column in columns)
    return ListedRow(row_url(table, row), cells)


def _cell(column: Column, text: str) -> Cell:
    if column.kind == "number":
        return Cell(column.name, text, "n")
    is_wide = len(text) > _WIDE or any(len(word) > _LONGEST_WORD for word in text.split())
    return Cell(column.name, text, "w" if is_wide else "")


def cell_text(value: object) -> str:
    """Return the beginning of a value as one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(element, str) for element in value):
        value = ", ".join(value)
    elif isinstance(value, list) and all(
        isinstance(element, dict) and "api" in element for element in value
    ):
        value = " → ".join(element["api"] for element in value)
    elif isinstance(value, list | dict):
        value = msgspec.json.encode(value, enc_hook=str).decode()
    elif isinstance(value, float):
        value = f"{value:g}"
    return shortened(" ".join(str(value).split()), _LONGEST)


def row_url(table: Table, row: Mapping[str, Any]) -> str:
    """Return the URL of a row's page, which is derived from the row's key."""
    page, names = PAGES.get(table.name, ("", {}))
    if page and all(row.get(column) is not None for column in names):
        return f"{page}?{urlencode({name: row[column] for column, name in names.items()})}"
    if not table.key:
        return ""
    key_pairs = [(column, row[column]) for column in table.key if row[column] is not None]
    return f"/tables/{table.name}/row?{urlencode(key_pairs)}"
