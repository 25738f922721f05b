"""Exact de-duplication of shortcuts, bounded in memory and independent of the order of inputs.

A first pass reads only keys and decides which row of each group is kept; a second pass moves the
kept rows, one bucket of ids at a time, into sorted parts. Shortcuts without actions are never
merged: equal emptiness says nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

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


def buckets(kept: Sequence[Key]) -> list[list[Key]]:
    """Consecutive slices of the sorted kept rows; their number depends on the rows alone."""
    return [
        list(kept[start : start + ROWS_PER_BUCKET])
        for start in range(0, len(kept), ROWS_PER_BUCKET)
    ]
