"""Compare a release with other datasets, and write the matches as a table, as JSON and as a page.

The files are `overlap.parquet`, `overlap.json` and `overlap.html`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from benchloom.release.descriptions.pages import write_page
from benchloom.release.overlap.matches import Counts, Keys, Match, Tally
from benchloom.release.overlap.near_texts import NearTexts, Shingled, plain_text, shingled
from benchloom.release.overlap.sides import Row, Side, open_side
from benchloom.storage.tables import ColumnDefinition, TableDefinition, TableWriter
from benchloom.storage.workspace import write_file

MAX_LISTED: Final = 200
"""Maximum number of characters of a text in a match."""
BATCH: Final = 2048
KINDS: Final = ("text", "plan", "shortcut", "app", "api", "definition")
STRUCTURE: Final = "structure"
"""Name of a match between two plans with the same calls but different values."""


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The number of rows of one kind, such as texts or plans, in each split of a dataset."""

    set: str
    kind: str
    rows: dict[str, int]


class Comparison:
    """A release whose rows are indexed by key, so that other datasets can be compared with it."""

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
        """Yield every match with the dataset `other`, and count it in `tally`."""
        counted: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
        for batch in _batches(other.texts(), BATCH):
            counted["text"].update(row.split for row in batch)
            yield from self._text_matches(other.name, batch)
        for kind, key, row in _keyed_rows(other):
            counted[kind][row.split] += 1
            equal = list(self._matches(kind, "equal", key, other.name, row))
            yield from equal
            if kind == "plan" and not equal:
                yield from self._matches(kind, STRUCTURE, row.content, other.name, row)
        self._total(other.name, counted)

    def _total(self, name: str, counted: Mapping[str, Counter[str]]) -> None:
        for kind, rows in counted.items():
            if rows:
                self.totals.append(Totals(set=name, kind=kind, rows=dict(sorted(rows.items()))))

    def _text_matches(self, name: str, batch: Sequence[Row]) -> Iterator[Match]:
        plains = [plain_text(row.content) for row in batch]
        near = self._near.near([shingled(row.content) for row in batch])
        for row, plain, neighbours in zip(batch, plains, near, strict=True):
            yield from self._matches("text", "equal", plain, name, row)
            for index, score in neighbours:
                if self._plain[index] != plain:
                    yield from self._matches(
                        "text", "near", self._plain[index], name, row, score=score
                    )

    def _matches(
        self, kind: str, match: str, key: str, other: str, row: Row, *, score: float = 1.0
    ) -> Iterator[Match]:
        keys = self._keys[STRUCTURE if match == STRUCTURE else kind]
        for split, group in sorted(keys.of(key).items()):
            row_match = Match(
                kind=kind,
                match=match,
                split=split,
                ident=group.row_id,
                shown=group.text,
                rows=group.rows,
                other=other,
                other_split=row.split,
                other_ident=row.row_id,
                other_shown=row.content[:MAX_LISTED],
                score=round(score, 4),
            )
            self.tally.add(row_match, key)
            yield row_match


def _keyed_rows(side: Side) -> Iterator[tuple[str, str, Row]]:
    for kind, rows in (("plan", side.plans()), ("shortcut", side.shortcuts())):
        for row in rows:
            yield kind, row.row_id, row
    for entity in dict.fromkeys(side.entities()):
        yield entity.kind, entity.key, Row(entity.split, entity.name, entity.name)


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, size)):
        yield batch


EXAMPLES: Final = 10
_TEXTS: Final = {
    "kind": "Kind of the rows: text, plan, shortcut, app, api or definition.",
    "match": "Kind of match: equal, near (texts), or structure (plans without values).",
    "split": "Split of our rows.",
    "ident": "Id of the first matching row of ours.",
    "shown": "Shortened text, structure or name of our row.",
    "rows": "Number of our rows of the split that match.",
    "other": "Name of the other set.",
    "other_split": "Split of the other set's row.",
    "other_ident": "Id of the other set's row.",
    "other_shown": "Shortened text, structure or name of the other set's row.",
    "score": "Similarity of texts; 1 for other kinds.",
}
_TYPES: Final = {"rows": "int64", "score": "double"}
TABLE: Final = TableDefinition(
    name="overlap",
    description="Rows of other sets that match rows of a release.",
    licence="Apache-2.0; texts keep the licence of their source",
    key=(),
    sort=(),
    columns=tuple(
        ColumnDefinition(name, _TYPES.get(name, "string"), _TEXTS[name])
        for name in Match.__struct_fields__
    ),
)


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a comparison of a release with other datasets.

    `sets` contains the numbers of rows per dataset and split, and `matches` the numbers of matching
    rows per pair of splits.
    """

    release: str
    others: tuple[str, ...]
    sets: tuple[Totals, ...]
    matches: tuple[Counts, ...]


def find_overlap(release: Path, others: Sequence[Path], out: Path | None = None) -> Overlap:
    """Compare a release with the datasets in other folders, and return the result.

    With `out`, the table of matches, the result and a page are written to this folder.
    """
    comparison = Comparison(open_side(release))
    sides = _with_distinct_names(others)
    shown_examples: list[Match] = []
    if out is None:
        for _ in _matches(comparison, sides, shown_examples):
            pass
    else:
        with TableWriter(TABLE, out / "overlap.parquet") as writer:
            for match in _matches(comparison, sides, shown_examples):
                writer.add(match)
    overlap = Overlap(
        release=comparison.name,
        others=tuple(side.name for side in sides),
        sets=tuple(comparison.totals),
        matches=tuple(comparison.tally.counts()),
    )
    if out is not None:
        content = msgspec.json.format(msgspec.json.encode(overlap), indent=1)
        write_file(out / "overlap.json", content + b"\n")
        totals = {(set_totals.set, set_totals.kind): set_totals.rows for set_totals in overlap.sets}
        write_page(
            out / "overlap.html",
            "overlap.html.j2",
            found=overlap,
            totals=totals,
            examples=shown_examples,
        )
    return overlap


def _with_distinct_names(folders: Sequence[Path]) -> list[Side]:
    sides = [open_side(folder) for folder in folders]
    names = Counter(side.name for side in sides)
    return [
        side._replace(name=f"{side.name} ({number})") if names[side.name] > 1 else side
        for number, side in enumerate(sides, 1)
    ]


def _matches(
    comparison: Comparison, sides: Sequence[Side], examples: list[Match]
) -> Iterator[Match]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for side in sides:
        for match in comparison.matches(side):
            key = match.kind, match.match, match.other
            if match.shown and counts[key] < EXAMPLES:
                counts[key] += 1
                examples.append(match)
            yield match
