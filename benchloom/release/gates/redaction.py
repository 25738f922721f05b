"""A release gate: no text of any file may contain a recognisable secret or personal value."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import PurePosixPath

import msgspec
import pyarrow as pa

from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.cells import CellRedactor, path_runs
from benchloom.normalise.redaction.shortcuts import shortcut_findings
from benchloom.normalise.redaction.tables import (
    ChangedText,
    changed_texts,
    redactor_of,
    searched_columns,
)
from benchloom.release.gates.rows import (
    Check,
    RowsPart,
    check_key,
    file_keys,
    piece_key,
    unless_passed,
)
from benchloom.release.gates.view import GateView, Part, Piece
from benchloom.release.manifest import MANIFEST
from benchloom.release.redacting import TEXT_ENDINGS
from benchloom.storage.tables import TableDefinition, load_table, row_groups

MAX_NAMED = 5
"""Maximum number of rows that are reported for each column and group of rows."""


def parts(release: GateView) -> Iterator[Part]:
    """Divide the check into parts: one per range of a table's rows, and one per document."""
    for piece in release.pieces("shortcuts"):
        yield RowsPart(piece, Shortcut, shortcut_findings)
    for table in release.manifest.tables():
        for piece in release.pieces(table):
            yield CellsPart(piece)
    for file in release.manifest.files:
        if file.table is None and PurePosixPath(file.path).suffix in TEXT_ENDINGS:
            yield DocumentPart(file.path, file.bytes, file.sha256)
    yield _sources


class CellsPart(msgspec.Struct, frozen=True):
    """Searches the texts of a range of table rows for secret or personal values."""

    piece: Piece

    @property
    def bytes(self) -> int:
        """The uncompressed size of the rows in bytes."""
        return self.piece.bytes

    def __call__(self, release: GateView) -> Iterator[str]:
        """Yield one line per row that contains secret or personal values.

        Rows that passed an earlier search are skipped.
        """
        key_parts = piece_key(self.piece)
        yield from _unless_searched(release, "cells", key_parts, partial(self._matches, release))

    def _matches(self, release: GateView) -> Iterator[str]:
        table = load_table(self.piece.table)
        columns = list(dict.fromkeys(path.split(".")[0] for path in searched_columns(table)))
        key = [name for name in (table.key or table.identity or table.sort) if name not in columns]
        for rows in row_groups(self.piece.path, None, [*columns, *key], self.piece.groups):
            for change in changed_texts(rows, table, _redactor(release)):
                yield from _row_findings(table, rows, change)


class DocumentPart(msgspec.Struct, frozen=True):
    """Searches a document of a release for secret or personal values."""

    path: str
    bytes: int
    sha256: str

    def __call__(self, release: GateView) -> Iterator[str]:
        """Yield one line if the document contains secret or personal values."""
        key_parts = (self.path, self.sha256)
        yield from _unless_searched(release, "document", key_parts, partial(self._matches, release))

    def _matches(self, release: GateView) -> Iterator[str]:
        text = (release.folder / self.path).read_bytes().decode("utf-8", "replace")
        yield from _summary(self.path, _redactor(release).document(text)[1])


def _unless_searched(
    release: GateView, what: str, key_parts: Sequence[str], check: Check
) -> Iterator[str]:
    # If files with public addresses changed, the key contains the addresses instead of the files.
    by_files = check_key(what, *key_parts, "files", *_public_files(release))

    def look_again() -> Iterator[str]:
        address_digest = check_key(what, *key_parts, "addresses", _redactor(release).packed().hex())
        return unless_passed(address_digest, check)

    yield from unless_passed(by_files, look_again)


@lru_cache(maxsize=1)
def _public_files(release: GateView) -> tuple[str, ...]:
    tables = release.manifest.tables()
    return tuple(file_keys(release, (t for t in tables if load_table(t).redaction.public)))


@lru_cache(maxsize=1)
def _redactor(release: GateView) -> CellRedactor:
    tables = release.manifest.tables()
    return redactor_of(
        {name: [file.path for file in release.tables.table_files(name)] for name in tables}
    )


def _sources(release: GateView) -> Iterator[str]:
    every = (source.source_uri for source in release.manifest.created_from.sources)
    for paths in path_runs(every, str):
        yield from unless_passed(check_key("sources", *paths), partial(_left_in_paths, paths))


def _left_in_paths(paths: Sequence[str]) -> Iterator[str]:
    redactor = CellRedactor()  # paths are searched even if the table is public
    for path in paths:
        yield from _summary(f"{MANIFEST}: a source", redactor.path(path)[1])


def _row_findings(table: TableDefinition, rows: pa.Table, change: ChangedText) -> Iterator[str]:
    # Names the row by its key, without the column that contains the text.
    first = change.column.split(".")[0]
    reported = 0
    for index, value in enumerate(rows.column(first).to_pylist()):
        if change.text in _leaves(value):
            names = table.key or table.identity or table.sort
            key_values = [str(rows.column(name)[index]) for name in names if name != first]
            location = f"{table.name}: {', '.join(key_values) or f'row {index}'}: {change.column}"
            yield from _summary(location, change.cell[1])
            reported += 1
            if reported == MAX_NAMED:
                return


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _summary(location: str, kinds: Iterable[str]) -> Iterator[str]:
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(Counter(kinds).items()))
    if counts:
        yield f"{location} still contains: {counts}"
