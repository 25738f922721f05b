"""Read Markdown tables that a stage wrote about its own rows, for card and report."""

from collections.abc import Mapping
from itertools import groupby

import msgspec


class Note(msgspec.Struct, frozen=True):
    """One table of figures: the release tables it describes, its column heads and its cells."""

    tables: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_notes(statistics: Mapping[str, str]) -> tuple[Note, ...]:
    """Read one note per Markdown table in each text; tables of one stage share its notes."""
    owners: dict[str, list[str]] = {}
    for table in sorted(statistics):
        owners.setdefault(statistics[table], []).append(table)
    notes: list[Note] = []
    for text, tables in owners.items():
        for is_table, group in groupby(text.splitlines(), lambda line: line.startswith("|")):
            lines = [_cells(line) for line in group] if is_table else []
            if len(lines) > 2:
                notes.append(Note(tuple(tables), lines[0], tuple(lines[2:])))
    return tuple(notes)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
