"""Write an overlap to files: `overlap.parquet`, `overlap.json` and `overlap.html`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from benchloom.release.describing.pages import write_page
from benchloom.release.overlap.comparison import Comparison, Totals
from benchloom.release.overlap.matches import Counts, Match
from benchloom.release.overlap.sides import Side, open_side
from benchloom.storage.tables import ColumnDefinition, TableDefinition, TableWriter
from benchloom.storage.workspace import write_file

EXAMPLES: Final = 10
_TEXTS: Final = {
    "kind": "text, plan, shortcut, app, api or definition.",
    "match": "equal, near (texts), or structure (plans, values aside).",
    "split": "Split of our rows.",
    "ident": "Id of the first of our rows.",
    "shown": "Its text, structure or name, cut.",
    "rows": "How many of our rows of the split match.",
    "other": "The other set.",
    "other_split": "Split of its row.",
    "other_ident": "Id of its row.",
    "other_shown": "Its text, structure or name, cut.",
    "score": "Similarity of texts; 1 for all else.",
}
_TYPES: Final = {"rows": "int64", "score": "double"}
TABLE: Final = TableDefinition(
    name="overlap",
    description="Rows of other sets and what they share with a release.",
    licence="Apache-2.0; texts keep the licence of their source",
    key=(),
    sort=(),
    columns=tuple(
        ColumnDefinition(name, _TYPES.get(name, "string"), _TEXTS[name])
        for name in Match.__struct_fields__
    ),
)


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """The overlap of a release with other sets: rows by split, matches by split pair."""

    release: str
    others: tuple[str, ...]
    sets: tuple[Totals, ...]
    matches: tuple[Counts, ...]


def find_overlap(release: Path, others: Sequence[Path], out: Path | None = None) -> Overlap:
    """Compare a release with other folders; with `out`, write the table and the page to it."""
    comparison = Comparison(open_side(release))
    sides = _named(others)
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
        matches=comparison.counts(),
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


def _named(folders: Sequence[Path]) -> list[Side]:
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
