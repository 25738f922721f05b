"""Compare a release with other sets: equal or near rows, listed and counted by split.

The release's keys are held in memory, the other sets are read once as a stream.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import msgspec

from benchloom.release.overlap.matches import Counts, Keys, Match, Tally
from benchloom.release.overlap.near_texts import NearTexts, Shingled, plain_text, shingled
from benchloom.release.overlap.sides import Row, Side

MAX_LISTED: Final = 200
"""Letters of a text that a match shows."""
BATCH: Final = 2048
KINDS: Final = ("text", "plan", "shortcut", "app", "api", "definition")
STRUCTURE: Final = "structure"
"""The match of two plans with the same calls and other values."""


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows of a kind a set has in each split."""

    set: str
    kind: str
    rows: dict[str, int]


class Comparison:
    """A release whose rows are indexed by key, for comparison with other sets."""

    def __init__(self, ours: Side) -> None:
        self.name = ours.name
        self.totals: list[Totals] = []
        self.tally = Tally()
        self._keys = {kind: Keys(MAX_LISTED) for kind in (*KINDS, STRUCTURE)}
        self._plain: list[str] = []
        shingled_texts: list[Shingled] = []
        for row in ours.texts():
            plain = plain_text(row.content)
            if not self._keys["text"].of(plain):
                shingled_texts.append(shingled(row.content))
                self._plain.append(plain)
            self._keys["text"].add(plain, row.split, row.row_id, row.content)
        self._near = NearTexts(shingled_texts)
        for kind, key, row in _keyed_rows(ours):
            self._keys[kind].add(key, row.split, row.row_id, row.content)
            if kind == "plan":
                self._keys[STRUCTURE].add(row.content, row.split, row.row_id, row.content)
        self._total(ours.name, {kind: self._keys[kind].rows for kind in KINDS})

    def matches(self, other: Side) -> Iterator[Match]:
        """Yield every match with another set and count it in `tally`."""
        for match, group in self._all(other):
            self.tally.add(match, group)
            yield match

    def counts(self) -> tuple[Counts, ...]:
        """Return the counts so far."""
        return tuple(self.tally.counts())

    def _total(self, name: str, counted: Mapping[str, Counter[str]]) -> None:
        for kind, rows in counted.items():
            if rows:
                self.totals.append(Totals(set=name, kind=kind, rows=dict(sorted(rows.items()))))

    def _all(self, other: Side) -> Iterator[tuple[Match, str]]:
        counted: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
        for batch in _batches(other.texts(), BATCH):
            counted["text"].update(row.split for row in batch)
            yield from self._text_matches(other.name, batch)
        for kind, key, row in _keyed_rows(other):
            counted[kind][row.split] += 1
            equal = list(_equal(kind, "equal", self._keys[kind], key, other.name, row=row))
            yield from equal
            if kind == "plan" and not equal:
                structures = self._keys[STRUCTURE]
                yield from _equal(kind, STRUCTURE, structures, row.content, other.name, row=row)
        self._total(other.name, counted)

    def _text_matches(self, name: str, batch: Sequence[Row]) -> Iterator[tuple[Match, str]]:
        plains = [plain_text(row.content) for row in batch]
        near = self._near.near([shingled(row.content) for row in batch])
        for row, plain, neighbours in zip(batch, plains, near, strict=True):
            yield from _equal("text", "equal", self._keys["text"], plain, name, row=row)
            for index, score in neighbours:
                own = self._plain[index]
                if own == plain:
                    continue
                for split, group in sorted(self._keys["text"].of(own).items()):
                    yield _match("text", "near", split, group, name, row=row, score=score), own


def _keyed_rows(side: Side) -> Iterator[tuple[str, str, Row]]:
    """The kind, the key and the row of everything in a set but its texts."""
    for plan in side.plans():
        yield "plan", plan.path_id, Row(plan.split, plan.path_id, plan.structure)
    for row in side.shortcuts():
        yield "shortcut", row.row_id, row
    for entity in dict.fromkeys(side.entities()):
        yield entity.kind, entity.key, Row(entity.split, entity.name, entity.name)


def _equal(
    kind: str, match: str, keys: Keys, key: str, name: str, *, row: Row
) -> Iterator[tuple[Match, str]]:
    for split, group in sorted(keys.of(key).items()):
        yield _match(kind, match, split, group, name, row=row), key


def _match(
    kind: str,
    match: str,
    split: str,
    group: tuple[str, str, int],
    name: str,
    *,
    row: Row,
    score: float = 1.0,
) -> Match:
    row_id, excerpt, rows = group
    return Match(
        kind=kind,
        match=match,
        split=split,
        ident=row_id,
        shown=excerpt,
        rows=rows,
        other=name,
        other_split=row.split,
        other_ident=row.row_id,
        other_shown=row.content[:MAX_LISTED],
        score=round(score, 4),
    )


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, size)):
        yield batch
