"""Compare two releases row by row, and give a reason for each change.

Rows are compared by digests, so memory grows with the number of rows and not with their size. A row
in which only the source file differs is counted, but not listed.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.set_details import SetDetails
from benchloom.release.manifest import read_manifest
from benchloom.release.reasons import (
    TAKEDOWN,
    changed_columns,
    reason_of_addition,
    reason_of_change,
    reason_of_removal,
    withheld_in,
)
from benchloom.release.schema_changes import Comparison, SchemaChange, compare_schemas, project
from benchloom.release.versions import table_schema
from benchloom.storage.tables import load_table, open_parquet, table_names, table_parts

Key = tuple[object, ...]
_ENCODER = msgspec.json.Encoder(order="sorted")
_PAIRING = {
    "shortcuts": ("icloud_ids", "source_uri"),
    "listings": ("listing_url",),
    "planning_paths": ("dialogues",),
}
"""A removed row and an added row that share a value of one of these columns are one changed row."""


_LABELS = ("name", "listing_url", "api", "text", "source_id", "source_uri", "url")


class RowChange(msgspec.Struct, frozen=True, kw_only=True):
    """A row that was added, removed or changed between two releases.

    `columns` are the changed columns. `label` is a readable name of the row; it is empty for rows
    that were removed because their author asked for it.
    """

    table: str
    change: str
    key: str
    reason: str
    columns: tuple[str, ...] = ()
    label: str = ""


class TableDiff(msgspec.Struct, frozen=True, kw_only=True):
    """All changes of a table between two releases.

    `counts` has keys such as "changed: <reason>". `moved` counts the rows in which only the source
    file differs; these rows are not in `changes`.
    """

    table: str
    schema_changed: bool
    columns: SchemaChange
    counts: dict[str, int]
    moved: int
    changes: tuple[RowChange, ...]


class ReleaseDiff(msgspec.Struct, frozen=True, kw_only=True):
    """All differences between two releases. Tables without differences are left out."""

    earlier: str
    later: str
    tables: tuple[TableDiff, ...]
    details: tuple[str, ...] = ()
    """Keys of the section `[release]` of the configuration, such as title or licence, whose values
    differ."""


def diff_releases(earlier: Path, later: Path) -> ReleaseDiff:
    """Compare two release folders and return all differences.

    Raises GateError if a manifest was changed after it was written.
    """
    first, second = read_manifest(earlier), read_manifest(later)
    names = sorted({*first.tables(), *second.tables()})
    tables = [_diff_table(name, earlier, later) for name in names]
    return ReleaseDiff(
        earlier=first.version,
        later=second.version,
        tables=tuple(table for table in tables if table.changes or table.schema_changed),
        details=tuple(
            field
            for field in SetDetails.__struct_fields__
            if getattr(first.details, field) != getattr(second.details, field)
        ),
    )


def _diff_table(name: str, earlier: Path, later: Path) -> TableDiff:
    comparison = _compare(earlier, later, name)
    first, second = _Side(earlier, name, comparison), _Side(later, name, comparison, is_later=True)
    before, after = first.digests(), second.digests()
    removed, added = before.keys() - after.keys(), after.keys() - before.keys()
    common = before.keys() & after.keys()
    changed = {key for key in common if before[key].content != after[key].content}
    old, new = first.rows(removed | changed), second.rows(added | changed)
    withheld = withheld_in(later)
    changes = [*_pairs(name, old, new, removed, added)]
    for key in changed:
        columns = changed_columns(name, old[key], new[key])
        reason = reason_of_change(name, columns)
        changes.append(_change(name, "changed", key, reason, new[key], columns=columns))
    for key in removed:
        reason = reason_of_removal(name, old[key], withheld)
        changes.append(_change(name, "removed", key, reason, old[key]))
    changes += [_change(name, "added", key, reason_of_addition(name), new[key]) for key in added]
    changes.sort(key=lambda change: (change.change, change.reason, change.key))
    counts = Counter(f"{change.change}: {change.reason}" for change in changes)
    return TableDiff(
        table=name,
        schema_changed=comparison is not None
        or table_schema(earlier, name) != table_schema(later, name),
        columns=comparison.change if comparison is not None else SchemaChange(),
        counts=dict(sorted(counts.items())),
        moved=sum(before[key].location != after[key].location for key in common - changed),
        changes=tuple(changes),
    )


Row = dict[str, object]


def _pairs(
    name: str, old: dict[Key, Row], new: dict[Key, Row], removed: set[Key], added: set[Key]
) -> Iterator[RowChange]:
    # Removes the paired rows from `removed` and `added`.
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
            columns = changed_columns(name, old[match], new[key])
            reason = reason_of_change(name, columns)
            yield _change(name, "changed", key, reason, new[key], columns=columns)


def _values(value: object) -> list[object]:
    if isinstance(value, list):
        return [str(item) if isinstance(item, dict) else item for item in value]
    return [] if value is None else [value]


def _change(
    name: str, change: str, key: Key, reason: str, row: Row, *, columns: tuple[str, ...] = ()
) -> RowChange:
    label = next((str(row[column]) for column in _LABELS if row.get(column)), "") or _dialogue(row)
    return RowChange(
        table=name,
        change=change,
        key=" ".join(map(str, key)),
        reason=reason,
        columns=columns,
        label="" if reason == TAKEDOWN else label,
    )


def _dialogue(row: Row) -> str:
    dialogues = row.get("dialogues")
    first = dialogues[0] if isinstance(dialogues, list) and dialogues else None
    return str(first["source_id"]) if isinstance(first, dict) and "source_id" in first else ""


class _Digest(NamedTuple):
    content: bytes
    location: bytes


class _Side:
    def __init__(
        self, folder: Path, name: str, comparison: Comparison | None, *, is_later: bool = False
    ) -> None:
        self._parts = table_parts(folder, name)
        self._is_later = is_later
        self._shared = comparison.shared if comparison is not None else None
        definition = load_table(name) if name in table_names() else None
        self._key = definition.same_by() if definition is not None else ()
        self._places = definition.places if definition is not None else ()
        if self._shared is not None:
            names = {column.later for column in self._shared}
            self._key = tuple(column for column in self._key if column in names)

    def _iter(self) -> Iterator[tuple[Key, Row]]:
        # Rows with equal keys are numbered; without key columns, the row's digest is the key.
        repeats: Counter[Key] = Counter()
        for row in self._plain():
            key: Key = tuple(row[column] for column in self._key)
            if not self._key:
                key = (hashlib.sha256(_ENCODER.encode(row)).hexdigest(),)
            repeats[key] += 1
            yield (key if repeats[key] == 1 else (*key, repeats[key])), row

    def _plain(self) -> Iterator[Row]:
        for part in self._parts:
            with open_parquet(part) as file:
                for batch in file.iter_batches(batch_size=512, use_threads=False):
                    for row in batch.to_pylist():
                        if self._shared is None:
                            yield row
                        else:
                            yield project(row, self._shared, is_later=self._is_later)

    def digests(self) -> dict[Key, _Digest]:
        row_digests: dict[Key, _Digest] = {}
        for key, row in self._iter():
            location = _ENCODER.encode([row.pop(column, None) for column in self._places])
            content = _ENCODER.encode(row)
            row_digests[key] = _Digest(
                hashlib.sha256(content).digest(), hashlib.sha256(location).digest()
            )
        return row_digests

    def rows(self, keys: set[Key]) -> dict[Key, Row]:
        return {key: row for key, row in self._iter() if key in keys} if keys else {}


def _compare(earlier: Path, later: Path, name: str) -> Comparison | None:
    # None if the schemas are equal or one release lacks the table.
    before, after = table_schema(earlier, name), table_schema(later, name)
    if before is None or after is None or before.equals(after):
        return None
    columns = load_table(name).columns if name in table_names() else ()
    return compare_schemas(before, after, columns)
