"""Compare a release with other sets: equal or near rows, listed and counted by split.

The release's keys are held in memory, the other sets are read once as a stream.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from benchloom.release.overlap.matches import Counts, Keys, Match, Tally
from benchloom.release.overlap.near_texts import NearTexts, Shingled, plain_text, shingled
from benchloom.release.overlap.sides import Row, Side

MAX_LISTED: Final = 200
"""Letters of a text that a match shows."""
BATCH: Final = 2048
ENTITIES: Final = ("app", "api", "definition")


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
        self._texts, self._plans, self._structures = (
            Keys(MAX_LISTED),
            Keys(MAX_LISTED),
            Keys(MAX_LISTED),
        )
        self._shortcuts, self._entities = (
            Keys(MAX_LISTED),
            {kind: Keys(MAX_LISTED) for kind in ENTITIES},
        )
        self._plain: list[str] = []
        shingled_texts: list[Shingled] = []
        for row in ours.texts():
            plain = plain_text(row.content)
            if not self._texts.of(plain):
                shingled_texts.append(shingled(row.content))
                self._plain.append(plain)
            self._texts.add(plain, row.split, row.ident, row.content)
        self._near = NearTexts(shingled_texts)
        for plan in ours.plans():
            self._plans.add(plan.ident, plan.split, plan.ident, plan.structure)
            self._structures.add(plan.structure, plan.split, plan.ident, plan.structure)
        for row in ours.shortcuts():
            self._shortcuts.add(row.ident, row.split, row.ident, row.content)
        for entity in dict.fromkeys(ours.entities()):
            self._entities[entity.kind].add(entity.key, entity.split, entity.name, entity.name)
        self._total(ours.name, "text", self._texts.rows)
        self._total(ours.name, "plan", self._plans.rows)
        self._total(ours.name, "shortcut", self._shortcuts.rows)
        for kind, keys in self._entities.items():
            self._total(ours.name, kind, keys.rows)

    def matches(self, other: Side) -> Iterator[Match]:
        """Yield every match with another set and count it in `tally`."""
        for match, group in self._all(other):
            self.tally.add(match, group)
            yield match

    def counts(self) -> tuple[Counts, ...]:
        """Return the counts so far."""
        return tuple(self.tally.counts())

    def _total(self, name: str, kind: str, rows: Counter[str]) -> None:
        if rows:
            self.totals.append(Totals(set=name, kind=kind, rows=dict(sorted(rows.items()))))

    def _all(self, other: Side) -> Iterator[tuple[Match, str]]:
        rows: Counter[str] = Counter()
        for batch in _batches(other.texts(), BATCH):
            rows.update(row.split for row in batch)
            yield from self._text_matches(other.name, batch)
        self._total(other.name, "text", rows)
        rows = Counter()
        for plan in other.plans():
            rows[plan.split] += 1
            row = Row(plan.split, plan.ident, plan.structure)
            equal = list(_equal("plan", "equal", self._plans, plan.ident, other.name, row))
            yield from equal
            if not equal:
                structure_keys = self._structures
                yield from _equal(
                    "plan", "structure", structure_keys, plan.structure, other.name, row
                )
        self._total(other.name, "plan", rows)
        rows = Counter()
        for row in other.shortcuts():
            rows[row.split] += 1
            yield from _equal("shortcut", "equal", self._shortcuts, row.ident, other.name, row)
        self._total(other.name, "shortcut", rows)
        by_kind: dict[str, Counter[str]] = {kind: Counter() for kind in ENTITIES}
        for entity in dict.fromkeys(other.entities()):
            by_kind[entity.kind][entity.split] += 1
            row = Row(entity.split, entity.name, entity.name)
            keys = self._entities[entity.kind]
            yield from _equal(entity.kind, "equal", keys, entity.key, other.name, row)
        for kind, counted in by_kind.items():
            self._total(other.name, kind, counted)

    def _text_matches(self, name: str, batch: Sequence[Row]) -> Iterator[tuple[Match, str]]:
        plains = [plain_text(row.content) for row in batch]
        near = self._near.near([shingled(row.content) for row in batch])
        for row, plain, neighbours in zip(batch, plains, near, strict=True):
            yield from _equal("text", "equal", self._texts, plain, name, row)
            for index, score in neighbours:
                own = self._plain[index]
                if own == plain:
                    continue
                for split, group in sorted(self._texts.of(own).items()):
                    yield _match("text", "near", split, group, name, row, score), own


def _equal(  # noqa: PLR0917  the parts of one look-up
    kind: str, match: str, keys: Keys, key: str, name: str, row: Row
) -> Iterator[tuple[Match, str]]:
    for split, group in sorted(keys.of(key).items()):
        yield _match(kind, match, split, group, name, row), key


def _match(  # noqa: PLR0917  the parts of one match
    kind: str,
    match: str,
    split: str,
    group: tuple[str, str, int],
    name: str,
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
        other_ident=row.ident,
        other_shown=row.content[:MAX_LISTED],
        score=round(score, 4),
    )


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, size)):
        yield batch
