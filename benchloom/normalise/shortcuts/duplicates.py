"""Exact de-duplication of shortcuts, bounded in memory and independent of the order of inputs.

A first pass reads only keys and decides which row of each group is kept; a second pass moves the
kept rows, a range of ids for each shard, into sorted parts. Shortcuts without actions are never
merged: equal emptiness says nothing.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.normalise.shortcuts.keys import Key
from benchloom.records import Rejected
from benchloom.tables import open_parquet

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
SHARDS = 8
"""Where kept rows are more than so many buckets, a shard has several of them."""


class Choice(msgspec.Struct, frozen=True):
    """The rows that are kept, sorted for publication, and one reason per row left out."""

    kept: list[Key]
    left_out: list[Rejected]


def read_keys(parts: Sequence[Path]) -> Iterator[Key]:
    """The keys of every parsed row."""
    for number, part in enumerate(parts):
        with open_parquet(part, "shortcuts") as file:
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


class RowPlace(NamedTuple):
    """Where a kept row lies among the parsed parts: the number of its part, and its own in it."""

    part: int
    row: int


class Places(msgspec.Struct, frozen=True):
    """The places of kept rows in order, 12 bytes each: shards of a million rows are handed round.

    `parts` are int32, `rows` int64, both of the machine's order.
    """

    parts: bytes
    rows: bytes

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows) // 8

    def read(self) -> list[RowPlace]:
        """The places one by one."""
        parts, rows = (array(code, told) for code, told in (("i", self.parts), ("q", self.rows)))
        return list(map(RowPlace, parts, rows))


def cut(kept: Sequence[Key]) -> list[Places]:
    """The sorted kept rows of each shard; how many there are depends on the rows alone.

    Rows of any id stand in any part, so each shard reads all parts: there are never more shards
    than `SHARDS`, however many rows there are.
    """
    buckets = max(1, -(-len(kept) // ROWS_PER_BUCKET))
    size = -(-buckets // SHARDS) * ROWS_PER_BUCKET
    return [
        Places(
            array("i", (key.part for key in kept[start : start + size])).tobytes(),
            array("q", (key.row for key in kept[start : start + size])).tobytes(),
        )
        for start in range(0, len(kept), size)
    ]
