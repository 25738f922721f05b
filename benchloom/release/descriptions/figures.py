"""Statistics of a release: single numbers, counts by one name, and counts by two names.

`FIGURES.md` and `report.html` show the same sections of statistics.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from benchloom.core.plain_words import shortened

Number = int | float
_COLUMNS = 8
"""Maximum number of columns of a cross table, because readers cannot tell more colours apart."""


class Figure(msgspec.Struct, frozen=True):
    """A single number of the report. `unit` is empty for a count and `USD` for money."""

    key: str
    label: str
    value: Number
    unit: str = ""


class Bar(msgspec.Struct, frozen=True):
    """A bar of a chart: a name and the number that the length of the bar shows."""

    name: str
    count: Number


class Chart(msgspec.Struct, frozen=True):
    """A bar chart of counts by name.

    The bars of an `ordered` chart keep the order of their names; those of a `ranked` chart are
    sorted by count, with the largest first.
    """

    key: str
    title: str
    unit: str
    kind: Literal["ordered", "ranked"]
    bars: tuple[Bar, ...]


class CrossRow(msgspec.Struct, frozen=True):
    """A row of a cross table: its name, and one count per column of the table, in order."""

    name: str
    counts: tuple[int, ...]


class Cross(msgspec.Struct, frozen=True):
    """A cross table, which shows counts by two names.

    `row` and `column` say what the two names are, for example "source" and "split". `columns` are
    the names of the columns.
    """

    key: str
    title: str
    unit: str
    row: str
    column: str
    columns: tuple[str, ...]
    rows: tuple[CrossRow, ...]


class Section(msgspec.Struct, frozen=True):
    """All statistics about a table, or about several joined tables."""

    key: str
    title: str
    text: str
    figures: tuple[Figure, ...] = ()
    charts: tuple[Chart, ...] = ()
    crosses: tuple[Cross, ...] = ()

    def without_empty(self) -> "Section":
        """Return a copy of the section without empty charts and cross tables."""
        return msgspec.structs.replace(
            self,
            charts=tuple(chart for chart in self.charts if chart.bars),
            crosses=tuple(cross for cross in self.crosses if cross.rows),
        )


_LONGEST_NAME = 200


def ranked(key: str, title: str, unit: str, counts: Mapping[str, Number], most: int = 20) -> Chart:
    """Return a chart of the `most` largest counts, largest first.

    A last bar shows the sum of all smaller counts.
    """
    order = sorted(counts, key=lambda name: (-counts[name], name))
    if len(order) == most + 1:
        most += 1  # a bar "1 others" would take as much space as the bar that it replaces
    bars = [Bar(shortened(name, _LONGEST_NAME), counts[name]) for name in order[:most]]
    rest = order[most:]
    if rest:
        bars.append(Bar(f"{len(rest):,} others", sum(counts[name] for name in rest)))
    return Chart(key, title, unit, "ranked", tuple(bars))


def ordered(
    key: str, title: str, unit: str, counts: Mapping[str, Number], names: Iterable[str]
) -> Chart:
    """Return a chart of the counts of `names` in this order.

    It has no bars if all counts are zero.
    """
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
    """Build a cross table from counts by (row, column).

    By default, the columns are all names in sorted order. The rows are the `most` largest, and a
    last row contains the sums of all other rows.
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
    """Limit a cross table to its largest columns, and sum all smaller columns in a column `others`.

    Returns the counts by (row, column), and the names of the columns in order.
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
