"""Gate: no secret or personal datum that the finders know is left, in any text of any file."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from benchloom.normalise.redaction import redaction_findings
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.known import redactor_of
from benchloom.normalise.redaction.tables import LeftText, changed_texts, searched_columns
from benchloom.release.gates.view import GateView
from benchloom.release.manifest import MANIFEST
from benchloom.release.redacting import TEXT_ENDINGS
from benchloom.tables import TableDefinition, load_table, open_parquet

MOST_NAMED = 5
"""Rows that are named for one column of one row group."""


def findings(release: GateView) -> Iterator[str]:
    """One line per row or document, with kinds and counts and never a value."""
    tables = {
        name: [release.folder / file.path for file in release.manifest.files if file.table == name]
        for name in release.manifest.tables()
    }
    redactor = redactor_of(tables)
    if "shortcuts" in tables:
        yield from redaction_findings(release.folder)
    for name, files in tables.items():
        yield from _table_findings(load_table(name), files, redactor)
    for file in release.manifest.files:
        path = release.folder / file.path
        if file.table is None and path.suffix in TEXT_ENDINGS:
            text = path.read_bytes().decode("utf-8", "replace")
            yield from _told(file.path, redactor.document(text)[1])
    for source in release.manifest.created_from.sources:
        yield from _told(f"{MANIFEST}: a source", redactor.path(source.source_uri)[1])


def _table_findings(
    table: TableDefinition, files: Iterable[Path], redactor: CellRedactor
) -> Iterator[str]:
    columns = list(dict.fromkeys(path.split(".")[0] for path in searched_columns(table)))
    key = [name for name in (table.key or table.identity or table.sort) if name not in columns]
    for file in files:
        with open_parquet(file) as parquet:
            for group in range(parquet.num_row_groups):
                rows = parquet.read_row_group(group, columns=[*columns, *key], use_threads=False)
                for left in changed_texts(rows, table, redactor):
                    yield from _row_findings(table, rows, left)


def _row_findings(table: TableDefinition, rows: pa.Table, left: LeftText) -> Iterator[str]:
    """The rows that hold a text, by the parts of their key that do not hold it themselves."""
    first = left.column.split(".")[0]
    named = 0
    for index, value in enumerate(rows.column(first).to_pylist()):
        if left.text in _leaves(value):
            names = table.key or table.identity or table.sort
            shown = [str(rows.column(name)[index]) for name in names if name != first]
            place = f"{table.name}: {', '.join(shown) or f'row {index}'}: {left.column}"
            yield from _told(place, left.cell[1])
            named += 1
            if named == MOST_NAMED:
                return


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _told(place: str, kinds: Iterable[str]) -> Iterator[str]:
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(Counter(kinds).items()))
    if counts:
        yield f"{place} still holds: {counts}"
