"""Remove exact duplicates of shortcuts, with bounded memory. The input may have any order.

A first pass reads only keys and chooses one row of each group of equal shortcuts. A second pass
copies these rows from each file, so that new input changes only the files that contain it.
Shortcuts without actions are never merged: two empty shortcuts are not copies of each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from benchloom.normalise.shortcuts import Key
from benchloom.storage.tables import open_parquet

KEY_COLUMNS = [
    "shortcut_id",
    "canonical_digest",
    "source_digest",
    "source_uri",
    "action_count",
    "name",
]


class Choice(msgspec.Struct, frozen=True):
    """The keys of the rows to publish, in file order, and a rejected row for each duplicate."""

    chosen: list[Key]
    left_out: list[Rejected]


def read_candidates(parts: Sequence[Path]) -> Iterator[Key]:
    """Read the key of every parsed shortcut in these files."""
    for number, part in enumerate(parts):
        with open_parquet(part, "shortcuts") as file:
            row = 0
            for batch in file.iter_batches(columns=KEY_COLUMNS, use_threads=False):
                for shortcut_id, canonical, digest, uri, actions, name in zip(
                    *(batch.column(column).to_pylist() for column in KEY_COLUMNS), strict=True
                ):
                    yield Key(
                        shortcut_id,
                        canonical,
                        digest,
                        uri,
                        not actions,
                        name is not None,
                        number,
                        row,
                    )
                    row += 1


def choose(keys: Iterable[Key]) -> Choice:
    """Choose one row of each group of equal shortcuts. Rows without actions are all chosen."""
    groups: dict[str, list[Key]] = {}
    kept_keys: list[Key] = []
    for key in keys:
        if key.empty:
            kept_keys.append(key)
        else:
            groups.setdefault(key.shortcut_id, []).append(key)
    merged: list[Rejected] = []
    for group in groups.values():
        best = min(group, key=lambda key: key.rank)
        kept_keys.append(best)
        merged.extend(_rejection_of(key, best) for key in group if key is not best)
    kept_keys.sort(key=lambda key: (key.part, key.row))
    merged.sort(key=lambda row: (row.source_uri, row.reason, row.message))
    return Choice(kept_keys, merged)


def _rejection_of(key: Key, best: Key) -> Rejected:
    if key.source_digest == best.source_digest:
        reason, relation = "duplicate_bytes", "the same bytes as"
    elif key.canonical_digest == best.canonical_digest:
        reason, relation = "duplicate_actions", "the same actions as"
    else:
        reason, relation = "duplicate_renamed", "the same actions under other generated ids as"
    return Rejected(
        "normalise", key.source_uri, reason, f"{relation} {best.source_uri}", key.shortcut_id
    )


def rows_by_part(keys: Iterable[Key], parts: int) -> list[list[int]]:
    """Return a list for each of the `parts` files, with the numbers of its rows to publish."""
    rows: list[list[int]] = [[] for _ in range(parts)]
    for key in keys:
        rows[key.part].append(key.row)
    return rows
