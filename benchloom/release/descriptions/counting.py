"""Count the values of a table's columns, and build the section about the table in the report.

The counts of a file are cached under its digest, so that only new files are read. The shapes of
data flow (chains, fan-out, fan-in) are counted for many graphs in one pass.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.plain_words import ABSENT
from benchloom.release.descriptions.figures import (
    Chart,
    Cross,
    Figure,
    Number,
    Section,
    biggest_columns,
    crossed,
    ordered,
    ranked,
)
from benchloom.release.descriptions.tables import ReleaseTables, TableFile

K = TypeVar("K")
T = TypeVar("T")


class TableSection:
    """Counts the values of a table, and collects numbers and charts for its section of the report.

    The methods that add a number or a chart give it the key `<table>.<name>`.
    """

    def __init__(self, tables: ReleaseTables, table: str) -> None:
        self.rows = tables.rows().get(table, 0)
        self._tables = tables
        self._table = table
        self._figures: list[Figure] = []
        self._charts: list[Chart] = []
        self._crosses: list[Cross] = []

    def each(self, kind: type[T], find: Callable[..., T], *arguments: object) -> Iterator[T]:
        """Yield `find(file, *arguments)` for each file of the table.

        The results are cached per file.
        """
        return self._tables.each(self._table, kind, find, *arguments)

    def values(self, column: str) -> Counter[str]:
        """Count how often each value of a column occurs.

        If the column is missing, nothing is counted.
        """
        return summed(self.each(dict[str, int], _values, column))

    def filled(self, column: str) -> int:
        """Count the rows in which a text column is not empty."""
        return sum(self.each(int, _filled_rows, column))

    def pairs(
        self, first: str, second: str, letters: int | None = None
    ) -> Counter[tuple[str, str]]:
        """Count the pairs of values of two columns.

        With `letters`, values of the first column are cut to this number of characters.
        """
        return summed(self.each(dict[tuple[str, str], int], _pairs, first, second, letters))

    def sizes(self, column: str) -> Counter[int]:
        """Count how many rows have each list length in a list column."""
        return summed(self.each(dict[int, int], _sizes, column))

    def figure(self, name: str, label: str, value: Number, unit: str = "") -> None:
        """Add a single number to the section."""
        self._figures.append(Figure(f"{self._table}.{name}", label, value, unit))

    def ranked(
        self,
        name: str,
        title: str,
        unit: str,
        counts: Mapping[str, Number] | str = "",
        most: int = 20,
    ) -> None:
        """Add a chart with the largest count first.

        `counts` maps names to counts, or is the name of a column whose values are counted. By
        default, the values of the column `name` are counted.
        """
        numbers = self.values(counts or name) if isinstance(counts, str) else counts
        self._charts.append(ranked(f"{self._table}.{name}", title, unit, numbers, most))

    def ordered(
        self, name: str, title: str, unit: str, counts: Mapping[str, Number], names: Iterable[str]
    ) -> None:
        """Add a chart that shows the counts of `names` in the given order."""
        self._charts.append(ordered(f"{self._table}.{name}", title, unit, counts, names))

    def spans(
        self, name: str, title: str, unit: str, starts: Sequence[int], values: Mapping[int, int]
    ) -> None:
        """Add a histogram. Its ranges begin at `starts`, and the last range has no upper bound."""
        ends = [str(start - 1) for start in starts[1:]]
        names = [
            end if str(start) == end else f"{start}-{end}"
            for start, end in zip(starts, ends, strict=False)
        ]
        names.append(f"{starts[-1]} or more")
        counts: Counter[str] = Counter()
        for value, count in values.items():
            counts[names[bisect_right(starts, value) - 1]] += count
        self.ordered(name, title, unit, counts, names)

    def crossed(
        self,
        name: str,
        title: str,
        unit: str,
        counts: Mapping[tuple[str, str], int],
        *,
        row: str,
        column: str,
        columns: Sequence[str] = (),
        most: int = 15,
    ) -> None:
        """Add a cross table of counts by (row, column) that shows the `most` largest rows."""
        key = f"{self._table}.{name}"
        self._crosses.append(
            crossed(key, title, unit, counts, row=row, column=column, columns=columns, most=most)
        )

    def splits(self, title: str, unit: str) -> None:
        """Add a cross table that counts the rows by source and split."""
        pairs = self.pairs("source", "split")
        self.crossed("split", title, unit, pairs, row="source", column="split")

    def sites_by(
        self, row: str, title: str, unit: str, counts: Mapping[tuple[str, str], int]
    ) -> None:
        """Add a cross table of counts by (time, site). It shows all times in order."""
        merged, sites = biggest_columns(counts, "other sites")
        key, times = f"{self._table}.{row}", sorted({time for time, _ in merged})
        self._crosses.append(
            crossed(key, title, unit, merged, row=row, column="site", columns=sites, rows=times)
        )

    def section(self, title: str, text: str) -> Section:
        """Return the section with all numbers, charts and cross tables that were added."""
        parts = (tuple(self._figures), tuple(self._charts), tuple(self._crosses))
        return Section(self._table, title, text, *parts)


def leaves(array: pa.Array, fields: Sequence[str]) -> pa.Array:
    """Return all values of a nested field, with nulls; `fields` is its path below the array.

    Lists on the way are flattened.
    """
    for field in fields:
        if pa.types.is_list(array.type):
            array = pc.list_flatten(array)
        array = pc.struct_field(array, field)
    return pc.list_flatten(array) if pa.types.is_list(array.type) else array


def add_counts(counts: Counter[str], values: pa.Array) -> None:
    """Add the number of occurrences of each value of an array to `counts`.

    Nulls and empty texts are counted under the name of missing values.
    """
    for entry in pc.value_counts(values).to_pylist():
        counts[name_of(entry["values"])] += entry["counts"]


def name_of(value: object) -> str:
    """Return the name under which a value is counted: its text, "yes", "no" or "not stated"."""
    if value is None or value == "":
        return ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def batches_with(file: TableFile, *columns: str) -> Iterator[pa.RecordBatch]:
    """Yield batches with these columns, or nothing if the file lacks one of the columns."""
    if file.has(*columns):
        yield from file.batches(columns, rows=4096)


def _values(file: TableFile, column: str) -> dict[str, int]:
    counts: Counter[str] = Counter()
    first, *fields = column.split(".")
    for batch in batches_with(file, column):
        add_counts(counts, leaves(batch.column(first), fields))
    return counts


def _filled_rows(file: TableFile, column: str) -> int:
    filled = (
        pc.sum(pc.not_equal(b.column(column), "")).as_py() for b in batches_with(file, column)
    )
    return sum(count or 0 for count in filled)


def _pairs(
    file: TableFile, first: str, second: str, letters: int | None
) -> dict[tuple[str, str], int]:
    counts: Counter[tuple[str, str]] = Counter()
    for batch in batches_with(file, first, second):
        rows = pa.table([batch.column(first), batch.column(second)], names=["one", "two"])
        alike = rows.group_by(["one", "two"], use_threads=False)
        for group in alike.aggregate([([], "count_all")]).to_pylist():
            pair = name_of(group["one"])[:letters], name_of(group["two"])
            counts[pair] += group["count_all"]
    return counts


def _sizes(file: TableFile, column: str) -> dict[int, int]:
    sizes: Counter[int] = Counter()
    for batch in batches_with(file, column):
        for entry in pc.value_counts(pc.list_value_length(batch.column(column))).to_pylist():
            sizes[entry["values"] or 0] += entry["counts"]
    return sizes


def summed(counted: Iterable[Mapping[K, int]]) -> Counter[K]:
    """Add up the counts of several files."""
    totals: Counter[K] = Counter()
    for counts in counted:
        totals.update(counts)
    return totals


def as_numbers(counts: Mapping[str, int]) -> Counter[int]:
    """Convert the keys of counts from texts to integers, without the count of missing values."""
    return Counter({int(name): count for name, count in counts.items() if name != ABSENT})


def without_missing(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts without the count of missing values."""
    return {name: count for name, count in counts.items() if name != ABSENT}


SHAPES = ("no data flow", "chains", "fan-out", "fan-in", "fan-out and fan-in")
"""The shape of a graph is fan-out if several steps use one output, fan-in if one step uses several
outputs, and chains if neither occurs."""


def count_shapes(edges: pa.Table, graphs: int) -> Counter[str]:
    """Count how many of `graphs` graphs of steps have each shape.

    `edges` has the columns `graph`, `source` and `target`; a graph without data flow has no edges.
    """
    distinct = edges.group_by(["graph", "source", "target"]).aggregate([])
    fan_out = _most(distinct, "source")
    fan_in = _most(distinct, "target")
    shapes: Counter[str] = Counter()
    for graph, most_out in fan_out.items():
        many_in = fan_in[graph] > 1
        if most_out > 1:
            shapes["fan-out and fan-in" if many_in else "fan-out"] += 1
        else:
            shapes["fan-in" if many_in else "chains"] += 1
    shapes["no data flow"] = graphs - len(fan_out)
    return shapes


def _most(edges: pa.Table, end: str) -> dict[int, int]:
    per_node = edges.group_by(["graph", end]).aggregate([([], "count_all")])
    per_graph = per_node.group_by(["graph"]).aggregate([("count_all", "max")])
    numbers = per_graph.column("count_all_max").to_pylist()
    return dict(zip(per_graph.column("graph").to_pylist(), numbers, strict=True))


def edge_table(graph: pa.Array, source: pa.Array, target: pa.Array) -> pa.Table:
    """Return a table with one row per edge: its graph, source and target.

    A null source is no edge.
    """
    table = pa.table({"graph": graph, "source": source, "target": target})
    return table.filter(pc.is_valid(table.column("source")))
