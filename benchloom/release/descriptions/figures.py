"""Statistics of a release: single numbers, counts by name, and counts by two names.

`FIGURES.md` and the report contain the same sections.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from benchloom.core.plain_words import shortened

Number = int | float
_COLUMNS = 8
"""Maximum columns of a cross table; more colours could not be told apart."""


class Figure(msgspec.Struct, frozen=True):
    """A number of a report; `unit` is empty for a count, `USD` for money."""

    key: str
    label: str
    value: Number
    unit: str = ""


class Bar(msgspec.Struct, frozen=True):
    """A bar of a chart."""

    name: str
    count: Number


class Chart(msgspec.Struct, frozen=True):
    """A chart of counts, each with a name.

    `ordered` leaves the names in their order, and `ranked` sorts them by count.
    """

    key: str
    title: str
    unit: str
    kind: Literal["ordered", "ranked"]
    bars: tuple[Bar, ...]


class CrossRow(msgspec.Struct, frozen=True):
    """A row of a cross table; `counts` are in the order of its columns."""

    name: str
    counts: tuple[int, ...]


class Cross(msgspec.Struct, frozen=True):
    """A cross table: counts by two names, which `row` and `column` describe."""

    key: str
    title: str
    unit: str
    row: str
    column: str
    columns: tuple[str, ...]
    rows: tuple[CrossRow, ...]


class Section(msgspec.Struct, frozen=True):
    """All statistics about a table, or about a join of tables."""

    key: str
    title: str
    text: str
    figures: tuple[Figure, ...] = ()
    charts: tuple[Chart, ...] = ()
    crosses: tuple[Cross, ...] = ()

    def without_empty(self) -> "Section":
        """Return the section without empty charts and cross tables."""
        return msgspec.structs.replace(
            self,
            charts=tuple(chart for chart in self.charts if chart.bars),
            crosses=tuple(cross for cross in self.crosses if cross.rows),
        )


_LONGEST_NAME = 200


def ranked(key: str, title: str, unit: str, counts: Mapping[str, Number], most: int = 20) -> Chart:
    """Return a chart of the `most` largest counts in descending order; one bar sums the others."""
    order = sorted(counts, key=lambda name: (-counts[name], name))
    if len(order) == most + 1:
        most += 1
    bars = [Bar(shortened(name, _LONGEST_NAME), counts[name]) for name in order[:most]]
    rest = order[most:]
    if rest:
        bars.append(Bar(f"{len(rest):,} others", sum(counts[name] for name in rest)))
    return Chart(key, title, unit, "ranked", tuple(bars))


def ordered(
    key: str, title: str, unit: str, counts: Mapping[str, Number], names: Iterable[str]
) -> Chart:
    """Return a chart of the counts of `names` in their order; it has no bars if all are zero."""
    bars = tuple(Bar(name, counts.get(name, 0)) for name in names)
    return Chart(key, title, unit, "ordered", bars if any(bar.count for bar in bars) else ())


def crossed(
    key: str,
    title: str,
    unit: str,
    counts: Mapping[tuple[str, str], int],
    *,
    row: str,
    column: str,
    columns: Sequence[str] = (),
    rows: Sequence[str] = (),
    most: int = 15,
) -> Cross:
    """Build a cross table of counts by (row, column).

    By default the columns are all names, sorted, and the rows are the `most` largest, with one row
    for the sum of all others.
    """
    names = tuple(columns) or tuple(sorted({second for _, second in counts}))
    totals: Counter[str] = Counter()
    for (first, _), count in counts.items():
        totals[first] += count
    order = list(rows) or sorted(totals, key=lambda name: (-totals[name], name))
    if rows or len(order) == most + 1:
        most = len(order)
    cross_rows = [_row(name, [name], names, counts) for name in order[:most] if totals[name]]
    rest = order[most:]
    if rest:
        cross_rows.append(_row(f"{len(rest):,} others", rest, names, counts))
    return Cross(
        key,
        title,
        unit,
        row,
        column,
        tuple(shortened(name, _LONGEST_NAME) for name in names),
        tuple(cross_rows),
    )


def biggest_columns(
    counts: Mapping[tuple[str, str], int], others: str
) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Limit a cross table to its largest columns; add the counts of the rest to column `others`.

    Returns the counts by row and column, and the names of the columns in order.
    """
    totals: Counter[str] = Counter()
    for (_, column), count in counts.items():
        totals[column] += count
    names = sorted(totals, key=lambda name: (-totals[name], name))
    visible_columns = names if len(names) <= _COLUMNS + 1 else names[:_COLUMNS]
    merged_counts: Counter[tuple[str, str]] = Counter()
    for (row, column), count in counts.items():
        merged_counts[row, column if column in visible_columns else others] += count
    return merged_counts, [*visible_columns, others] if len(visible_columns) < len(
        names
    ) else visible_columns


def _row(
    name: str, members: list[str], columns: tuple[str, ...], counts: Mapping[tuple[str, str], int]
) -> CrossRow:
    sums = (sum(counts.get((member, column), 0) for member in members) for column in columns)
    return CrossRow(shortened(name, _LONGEST_NAME), tuple(sums))
