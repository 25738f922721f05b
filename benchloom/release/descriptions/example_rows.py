"""Shorten rows of any table for display: one row on the dataset card, or several rows on a page."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from benchloom.core.plain_words import ABSENT, shortened
from benchloom.release.descriptions.pages import visible
from benchloom.release.descriptions.tables import ReleaseTables, TableFile
from benchloom.storage.tables import TableDefinition, load_table, set_file

LONGEST = 700
"""Approximate maximum length of a shortened row, in characters."""
_LIMITS: Final = ((80, 5), (40, 4), (24, 3), (16, 2), (8, 1))
"""Pairs of limits (characters of a text, levels of nesting), from mild to strict. The first pair
that makes a row no longer than `LONGEST` is used, or the last pair."""
ELLIPSIS = "\u2026"
_LONGEST_CELL = 600
_TITLE = 90
_TITLES = ("name", "title", "text", "api", "method", "check", "url", "source_id", "source_uri")
"""The first of these columns that has a value is the title of a row; without one, the key is."""


def example_row(tables: ReleaseTables, table: str) -> str | None:
    """Return the first row of a table as a short line of JSON, or None if the table has no rows.

    If the table has splits, the row is from `train` if possible. Characters that would end a code
    block or begin markup are escaped.
    """

    def is_held_out(file: TableFile) -> bool:
        released_file = set_file(file.path.name)
        return released_file is not None and released_file.file_set.split in {"validation", "test"}

    files = [file for file in tables.table_files(table) if file.rows]
    # `min` returns the first file that is not held out, or the first file if all are.
    first = min(files, key=is_held_out, default=None)
    return None if first is None else first.cached_result(str, _example)


def _example(file: TableFile) -> str:
    (row,) = file.rows_at([0])
    line = ""
    for letters, depth in _LIMITS:
        short_row = _shorten(row, letters, depth)
        line = msgspec.json.encode(short_row).decode()
        if len(line) <= LONGEST:
            break
    for letter in "`<>&(":
        line = line.replace(letter, f"\\u{ord(letter):04x}")
    return visible(line)


def _shorten(value: object, letters: int, depth: int) -> object:
    if isinstance(value, str):
        return value if len(value) <= letters else value[:letters] + ELLIPSIS
    if isinstance(value, list):
        more = [ELLIPSIS] if len(value) > 1 else []
        return [_shorten(value[0], letters, depth - 1), *more] if depth > 0 else ELLIPSIS
    if isinstance(value, dict):
        if depth <= 0:
            return ELLIPSIS
        filled = {name: inner for name, inner in value.items() if inner is not None and inner != []}
        return {name: _shorten(inner, letters, depth - 1) for name, inner in filled.items()}
    return value if value is None or isinstance(value, bool | int | float) else str(value)


class PlainRow(msgspec.Struct, frozen=True):
    """A row to display: a title, and pairs of column name and text. None marks a missing value."""

    title: str
    cells: tuple[tuple[str, str | None], ...]


def spaced_rows(tables: ReleaseTables, table: str, most: int) -> Iterator[PlainRow]:
    """Yield at most `most` rows of a table, at equal distances across all its files."""
    total = tables.rows().get(table, 0)
    count = min(most, total)
    row_numbers = [index * total // count for index in range(count)]
    start = 0
    for file in tables.table_files(table):
        here = tuple(
            row_number - start
            for row_number in row_numbers
            if start <= row_number < start + file.rows
        )
        if here:
            yield from file.cached_result(list[PlainRow], _plain_rows, table, here)
        start += file.rows


def _plain_rows(file: TableFile, table: str, row_numbers: tuple[int, ...]) -> list[PlainRow]:
    definition = load_table(table)
    return [_plain_row(row, definition) for row in file.rows_at(row_numbers)]


def _plain_row(row: Mapping[str, Any], table: TableDefinition) -> PlainRow:
    cells = tuple((column.name, _cell_text(row.get(column.name))) for column in table.columns)
    texts_by_column = dict(cells)
    title_text = next(
        (texts_by_column[name] for name in _TITLES if texts_by_column.get(name)), None
    )
    title = title_text or " ".join(
        texts_by_column[name] or ABSENT for name in table.key if name in texts_by_column
    )
    return PlainRow(shortened(" ".join(title.split()), _TITLE) or ABSENT, cells)


def _cell_text(value: object) -> str | None:
    if value is None or value in ("", [], {}):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return shortened(value, _LONGEST_CELL)
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(element, str) for element in value):
        return shortened(", ".join(value), _LONGEST_CELL)
    return shortened(
        msgspec.json.encode(_without_empty(value), order="deterministic").decode(), _LONGEST_CELL
    )


def _without_empty(value: object) -> object:
    if isinstance(value, dict):
        fields = {name: _without_empty(inner) for name, inner in value.items()}
        return {name: inner for name, inner in fields.items() if inner not in (None, "", [], {})}
    return [_without_empty(element) for element in value] if isinstance(value, list) else value
