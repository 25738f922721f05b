"""Exact de-duplication of shortcuts, bounded in memory and independent of the order of inputs.

A first pass reads only keys and decides which row of each group is kept; a second pass moves the
kept rows, one bucket of ids at a time, into sorted parts. Shortcuts without actions are never
merged: equal emptiness says nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.records import Rejected

KEY_COLUMNS = [
    "shortcut_id",
    "canonical_digest",
    "source_digest",
    "source_uri",
    "action_count",
    "name",
]
ROWS_PER_BUCKET = 8192
"""A bucket of this many average shortcuts (35 kB) stays under 300 MB."""


class Key(msgspec.Struct, frozen=True, gc=False):
    """What decides about one parsed row, and where the row lies."""

    shortcut_id: str
    canonical_digest: str
    source_digest: str
    source_uri: str
    empty: bool
    named: bool
    part: int
    row: int

    @property
    def rank(self) -> tuple[bool, str, str]:
        """Lower is kept: a named file first, then by place, so the choice is always the same."""
        return (not self.named, self.source_uri, self.source_digest)


class Choice(msgspec.Struct, frozen=True):
    """The rows that are kept, sorted for publication, and one reason per row left out."""

    kept: list[Key]
    left_out: list[Rejected]


def read_keys(parts: Sequence[Path]) -> Iterator[Key]:
    """The keys of every parsed row."""
    for number, part in enumerate(parts):
        with pq.ParquetFile(part) as file:
            row = 0
            for batch in file.iter_batches(columns=KEY_COLUMNS, use_threads=False):
                for ident, canonical, digest, uri, actions, name in zip(
                    *(batch.column(column).to_pylist() for column in KEY_COLUMNS), strict=True
                ):
                    yield Key(
                        ident, canonical, digest, uri, not actions, name is not None, number, row
                    )
                    row += 1


def choose(keys: Iterable[Key]) -> Choice:
    """Keep one row per group of equal shortcuts."""
    groups: dict[str, list[Key]] = {}
    kept: list[Key] = []
    for key in keys:
        if key.empty:
            kept.append(key)
        else:
            groups.setdefault(key.shortcut_id, []).append(key)
    merged: list[Rejected] = []
    for group in groups.values():
        best = min(group, key=lambda key: key.rank)
        kept.append(best)
        merged.extend(_merged(key, best) for key in group if key is not best)
    kept.sort(key=lambda key: (key.shortcut_id, key.source_digest, key.source_uri))
    merged.sort(key=lambda row: (row.source_uri, row.reason, row.message))
    return Choice(kept, merged)


def _merged(key: Key, best: Key) -> Rejected:
    if key.source_digest == best.source_digest:
        reason, what = "duplicate_bytes", "the same bytes as"
    elif key.canonical_digest == best.canonical_digest:
        reason, what = "duplicate_actions", "the same actions as"
    else:
        reason, what = "duplicate_renamed", "the same actions under other generated ids as"
    return Rejected(
        "normalise", key.source_uri, reason, f"{what} {best.source_uri}", key.shortcut_id
    )


def buckets(kept: Sequence[Key]) -> list[list[Key]]:
    """Consecutive slices of the sorted kept rows; their number depends on the rows alone."""
    return [
        list(kept[start : start + ROWS_PER_BUCKET])
        for start in range(0, len(kept), ROWS_PER_BUCKET)
    ]


def take_rows(parts: Sequence[Path], bucket: Sequence[Key]) -> pa.Table:
    """The rows of a bucket in its order, reading only row groups that hold one of them."""
    wanted: dict[int, list[tuple[int, int]]] = {}
    for position, key in enumerate(bucket):
        wanted.setdefault(key.part, []).append((key.row, position))
    pieces: list[pa.Table] = []
    source = [0] * len(bucket)
    start = 0
    for part in sorted(wanted):
        rows = sorted(wanted[part])
        with pq.ParquetFile(parts[part]) as file:
            for group, picked in _by_row_group(file, rows):
                piece = file.read_row_group(group, use_threads=False)
                placed = picked
                if 2 * len(picked) < piece.num_rows:
                    # Few rows of a group keep the whole group in memory: memory is to follow the
                    # bucket, not the corpus. Where most are wanted, one take at the end is cheaper.
                    piece = piece.take(pa.array([row for row, _ in picked], pa.int64()))
                    placed = [(index, position) for index, (_, position) in enumerate(picked)]
                pieces.append(piece)
                for row, position in placed:
                    source[position] = start + row
                start += piece.num_rows
    return pa.concat_tables(pieces).take(pa.array(source, pa.int64()))


def _by_row_group(
    file: pq.ParquetFile, rows: list[tuple[int, int]]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Rows of a file as (row group, [(row inside it, position)])."""
    start = 0
    index = 0
    for group in range(file.num_row_groups):
        end = start + file.metadata.row_group(group).num_rows
        picked: list[tuple[int, int]] = []
        while index < len(rows) and rows[index][0] < end:
            picked.append((rows[index][0] - start, rows[index][1]))
            index += 1
        if picked:
            yield group, picked
        start = end
