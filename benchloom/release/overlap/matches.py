"""Match the rows of two datasets by equal keys, and count the matching rows of each per split."""

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

import msgspec


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A row of another dataset, and the rows in one split of our release that it matches.

    `kind` is text, plan, shortcut, app, api or definition; `match` is equal, near or structure
    (plans with equal calls but other values). `rows` counts our matching rows; `ident` and `shown`
    are the id and the text of the first of these rows.
    """

    kind: str
    match: str
    split: str
    ident: str
    shown: str
    rows: int
    other: str
    other_split: str
    other_ident: str
    other_shown: str
    score: float = 1.0


class Cell(NamedTuple):
    """The key of a count: kind of row, kind of match, our split, other dataset, and its split."""

    kind: str
    match: str
    split: str
    other: str
    other_split: str


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of matching rows in a split of our release and a split of another dataset.

    `rows` counts our rows that match a row of the other split, and `other_rows` counts the rows of
    the other split that match one of ours.
    """

    kind: str
    match: str
    split: str
    other: str
    other_split: str
    rows: int
    other_rows: int


class Tally:
    """Counts the matching rows of both datasets. A row is counted once per pair of splits."""

    def __init__(self) -> None:
        self._ours: dict[Cell, set[bytes]] = {}
        self._own_rows: Counter[Cell] = Counter()
        self._others: dict[Cell, set[bytes]] = {}

    def add(self, match: Match, group: str) -> None:
        """Count a match. Our rows with the same `group` are counted only once."""
        cell = Cell(match.kind, match.match, match.split, match.other, match.other_split)
        groups = self._ours.setdefault(cell, set())
        if (key := _short(group)) not in groups:
            groups.add(key)
            self._own_rows[cell] += match.rows
        self._others.setdefault(cell, set()).add(_short(match.other_ident))

    def counts(self) -> Iterator[Counts]:
        """Yield the counts for each pair of splits, in sorted order."""
        for cell in sorted(self._own_rows):
            yield Counts(
                **cell._asdict(), rows=self._own_rows[cell], other_rows=len(self._others[cell])
            )


class _Group(NamedTuple):
    row_id: str
    text: str
    rows: int


class Keys:
    """An index of our rows by key.

    For each key and split, it contains the first row and the number of rows.
    """

    def __init__(self, most: int) -> None:
        self._max_length = most
        self._groups: dict[bytes, dict[str, _Group]] = {}
        self.rows: Counter[str] = Counter()

    def add(self, key: str, split: str, row_id: str, text: str) -> None:
        """Add a row of our release to the index, under its key and its split."""
        self.rows[split] += 1
        groups = self._groups.setdefault(_short(key), {})
        group = groups.get(split)
        groups[split] = (
            _Group(row_id, text[: self._max_length], 1)
            if group is None
            else group._replace(rows=group.rows + 1)
        )

    def of(self, key: str) -> dict[str, _Group]:
        """Return, per split with rows that have this key, the first row and the number of rows."""
        return self._groups.get(_short(key), {})


def _short(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "replace"), digest_size=12).digest()
