"""What changed between two releases, row by row, with a reason for each change.

Rows are compared by a digest of their content under the table's key, so memory follows the number
of rows and not their size.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from benchloom.release.manifest import read_manifest
from benchloom.release.reasons import changed_columns, reason_of_change
from benchloom.tables import load_table, table_parts

Key = tuple[object, ...]
_PAIRING = {
    "shortcuts": ("icloud_ids", "source_uri"),
    "listings": ("listing_url",),
}
"""Columns by which a removed and an added row are known to be the same thing, changed."""


class RowChange(msgspec.Struct, frozen=True, kw_only=True):
    """One changed row: `change` is added, removed or changed; `columns` those that differ."""

    table: str
    change: str
    key: str
    reason: str
    columns: tuple[str, ...] = ()


class TableDiff(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of one table, counted by change and reason."""

    table: str
    schema_changed: bool
    counts: dict[str, int]
    changes: tuple[RowChange, ...]


class ReleaseDiff(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that differs between two releases."""

    earlier: str
    later: str
    tables: tuple[TableDiff, ...]


def diff_releases(earlier: Path, later: Path) -> ReleaseDiff:
    """Compare two release folders.

    Raises:
        RunError: a folder holds no release.
        GateError: a manifest was changed.
    """
    first, second = read_manifest(earlier), read_manifest(later)
    names = sorted({*first.tables(), *second.tables()})
    tables = [_diff_table(name, earlier, later) for name in names]
    return ReleaseDiff(
        earlier=first.version,
        later=second.version,
        tables=tuple(table for table in tables if table.changes or table.schema_changed),
    )


def _diff_table(name: str, earlier: Path, later: Path) -> TableDiff:
    before, after = _digests(earlier, name), _digests(later, name)
    removed, added = before.keys() - after.keys(), after.keys() - before.keys()
    common = before.keys() & after.keys()
    changed = {key for key in common if before[key] != after[key]}
    old = _rows(earlier, name, removed | changed)
    new = _rows(later, name, added | changed)
    changes = [*_pairs(name, old, new, removed, added)]
    for key in changed:
        columns = changed_columns(old[key], new[key])
        changes.append(_change(name, "changed", key, columns, old[key], new[key]))
    changes += [_change(name, "removed", key, (), old[key], None) for key in removed]
    changes += [_change(name, "added", key, (), None, new[key]) for key in added]
    changes.sort(key=lambda change: (change.change, change.reason, change.key))
    counts = Counter(f"{change.change}: {change.reason}" for change in changes)
    return TableDiff(
        table=name,
        schema_changed=_schema(earlier, name) != _schema(later, name),
        counts=dict(sorted(counts.items())),
        changes=tuple(changes),
    )


Row = dict[str, object]


def _pairs(
    name: str, old: dict[Key, Row], new: dict[Key, Row], removed: set[Key], added: set[Key]
) -> Iterator[RowChange]:
    """Rows whose key changed but which are the same thing; they leave `removed` and `added`."""
    for column in _PAIRING.get(name, ()):
        by_value: dict[object, Key] = {}
        for key in sorted(removed, key=str):
            for value in _values(old[key].get(column)):
                by_value.setdefault(value, key)
        for key in sorted(added, key=str):
            match = next(
                (by_value[v] for v in _values(new[key].get(column)) if v in by_value), None
            )
            if match is None or match not in removed:
                continue
            removed.discard(match)
            added.discard(key)
            columns = changed_columns(old[match], new[key])
            yield _change(name, "changed", key, columns, old[match], new[key])


def _values(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _change(  # noqa: PLR0917  the parts of one change, in the order they are read
    name: str, change: str, key: Key, columns: tuple[str, ...], old: Row | None, new: Row | None
) -> RowChange:
    return RowChange(
        table=name,
        change=change,
        key=" ".join(map(str, key)),
        reason=reason_of_change(name, old, new, columns),
        columns=columns,
    )


def _key_columns(name: str) -> tuple[str, ...]:
    table = load_table(name)
    return table.key or table.sort


def _iter_rows(folder: Path, name: str) -> Iterator[tuple[Key, Row]]:
    columns = _key_columns(name)
    for part in table_parts(folder, name):
        with pq.ParquetFile(part) as file:
            for batch in file.iter_batches(batch_size=512, use_threads=False):
                for row in batch.to_pylist():
                    yield tuple(row[column] for column in columns), row


def _digests(folder: Path, name: str) -> dict[Key, bytes]:
    encoder = msgspec.json.Encoder(order="sorted")
    return {
        key: hashlib.sha256(encoder.encode(row)).digest() for key, row in _iter_rows(folder, name)
    }


def _rows(folder: Path, name: str, keys: set[Key]) -> dict[Key, Row]:
    return {key: row for key, row in _iter_rows(folder, name) if key in keys} if keys else {}


def _schema(folder: Path, name: str) -> str:
    parts = table_parts(folder, name)
    return str(pq.read_schema(parts[0])) if parts else ""
