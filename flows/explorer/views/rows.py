"""Show any row in full, with descriptions of its columns and links to related rows."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from benchloom.core.plain_words import ABSENT, shortened
from benchloom.storage.tables import load_table, table_names
from flows.explorer.open_release import OpenRelease, Table

_LONGEST = 20_000
_MAX_LEAVES = 3000
"""Maximum number of lines shown for one row."""


class Line(msgspec.Struct, frozen=True):
    """One line of a displayed row.

    `depth` is the nesting depth of its value, `name` the name or number of the field, and `text`
    the value.
    """

    depth: int
    name: str
    text: str
    description: str = ""
    link: str = ""


class Link(msgspec.Struct, frozen=True):
    """A link to the rows of another table that have a certain value in one column."""

    table: str
    column: str
    value: str


def lines_of(row: Mapping[str, Any], table: Table) -> list[Line]:
    """Return the row as lines, shortened if it is very long."""
    lines: list[Line] = []
    for column in table.columns:
        for line in _lines(column.name, row.get(column.name), 0):
            if len(lines) >= _MAX_LEAVES:
                lines.append(Line(0, "…", "More lines follow; export the table to read them."))
                return lines
            column_description = column.description if line.depth == 0 else ""
            lines.append(msgspec.structs.replace(line, description=column_description))
    return lines


def _lines(name: str, value: object, depth: int) -> Iterator[Line]:
    if isinstance(value, Mapping) and value:
        yield Line(depth, name, "")
        for field, inner in value.items():
            yield from _lines(str(field), inner, depth + 1)
    elif isinstance(value, list) and any(isinstance(element, dict | list) for element in value):
        yield Line(depth, name, f"{len(value)}")
        for number, inner in enumerate(value, 1):
            yield from _lines(str(number), inner, depth + 1)
    else:
        yield Line(depth, name, leaf(value) or ABSENT)


def leaf(value: object) -> str:
    """Return a plain value as text, or an empty text for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(leaf(element) for element in value)
    return shortened(str(value), _LONGEST)


def links_of(release: OpenRelease, table: str, row: Mapping[str, Any]) -> list[Link]:
    """Return links to the rows that a row refers to, and to rows that refer to it."""
    leads: list[Link] = []
    for name in table_names():
        for reference in load_table(name).references:
            (column, *more) = reference.columns
            if more:
                continue
            for target, (other_table, *_) in reference.to.items():
                if name == table:
                    leads += _leads(release, target, other_table, row.get(column))
                if target == table:
                    leads += _leads(release, name, column, row.get(other_table))
    return list(dict.fromkeys(leads))


def _leads(release: OpenRelease, table: str, column: str, value: object) -> list[Link]:
    if not release.has(table) or release.table(table).column(column) is None:
        return []
    values = value if isinstance(value, list) else [value]
    return [Link(table, column, value) for value in values[:20] if isinstance(value, str) and value]
