"""Count in table files: values of nested columns, numbers by range, and sums by name.

The counts of a file are cached by its digest, so that only new files are read. Shapes of data flow
(which step uses outputs of which) are counted over many graphs together.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.plain_words import UNTOLD
from benchloom.release.describing.figures import Chart, Cross, crossed, ordered, ranked
from benchloom.release.describing.tables import ReleaseTables, TableFile

ABSENT = UNTOLD
K = TypeVar("K")


def leaves(array: pa.Array, fields: Sequence[str]) -> pa.Array:
    """Return all values at a dotted path, through lists and structs, nulls included."""
    for field in fields:
        if pa.types.is_list(array.type):
            array = pc.list_flatten(array)
        array = pc.struct_field(array, field)
    return pc.list_flatten(array) if pa.types.is_list(array.type) else array


def add_counts(counts: Counter[str], values: pa.Array) -> None:
    """Add the counts of an array's values to `counts`; null is counted as a missing value."""
    for entry in pc.value_counts(values).to_pylist():
        counts[name_of(entry["values"])] += entry["counts"]


def name_of(value: object) -> str:
    """Return the name under which a value is counted; missing values have a name too."""
    if value is None or value == "":
        return ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def count_values(tables: ReleaseTables, table: str, column: str) -> Counter[str]:
    """Count how often each value of a column occurs; empty if the table lacks the column."""
    return summed(tables.each(table, dict[str, int], _values, column))


def _values(file: TableFile, column: str) -> dict[str, int]:
    counts: Counter[str] = Counter()
    first, *fields = column.split(".")
    if file.has(column):
        for batch in file.batches([column], rows=4096):
            add_counts(counts, leaves(batch.column(first), fields))
    return counts


def ranked_values(
    tables: ReleaseTables, key: str, title: str, unit: str, column: str = ""
) -> Chart:
    """Return a chart of the values of a column; `key` is `table.column` or `table.name`."""
    table, _, name = key.partition(".")
    return ranked(key, title, unit, count_values(tables, table, column or name))


def count_filled(tables: ReleaseTables, table: str, column: str) -> int:
    """Count the rows in which a plain text column is not empty."""
    return sum(tables.each(table, int, _filled_rows, column))


def _filled_rows(file: TableFile, column: str) -> int:
    count = 0
    if file.has(column):
        for batch in file.batches([column], rows=4096):
            count += pc.sum(pc.not_equal(batch.column(column), "")).as_py() or 0
    return count


def count_pairs(
    tables: ReleaseTables, table: str, first_column: str, two: str, letters: int | None = None
) -> Counter[tuple[str, str]]:
    """Count pairs of values of two columns; names of the first are cut to `letters` characters."""
    return summed(
        tables.each(table, dict[tuple[str, str], int], _pairs, first_column, two, letters)
    )


def _pairs(
    file: TableFile, first_column: str, two: str, letters: int | None
) -> dict[tuple[str, str], int]:
    counts: Counter[tuple[str, str]] = Counter()
    if file.has(first_column, two):
        for batch in file.batches([first_column, two], rows=4096):
            rows = pa.table([batch.column(first_column), batch.column(two)], names=["one", "two"])
            alike = rows.group_by(["one", "two"], use_threads=False)
            for group in alike.aggregate([([], "count_all")]).to_pylist():
                pair = name_of(group["one"])[:letters], name_of(group["two"])
                counts[pair] += group["count_all"]
    return counts


def crossed_splits(tables: ReleaseTables, key: str, title: str, unit: str) -> Cross:
    """Return a cross table that counts a table's rows by source and split."""
    pairs = count_pairs(tables, key.partition(".")[0], "source", "split")
    return crossed(key, title, unit, pairs, row="source", column="split")


def list_sizes(tables: ReleaseTables, table: str, column: str) -> Counter[int]:
    """Count the rows for each list length in a list column."""
    return summed(tables.each(table, dict[int, int], _sizes, column))


def _sizes(file: TableFile, column: str) -> dict[int, int]:
    sizes: Counter[int] = Counter()
    if file.has(column):
        for batch in file.batches([column]):
            for entry in pc.value_counts(pc.list_value_length(batch.column(column))).to_pylist():
                sizes[entry["values"] or 0] += entry["counts"]
    return sizes


def summed(counted: Iterable[Mapping[K, int]]) -> Counter[K]:
    """Return the sum of the counts of several files."""
    totals: Counter[K] = Counter()
    for counts in counted:
        totals.update(counts)
    return totals


class Spans:
    """Ranges of non-negative integers, for histograms; the last range has no upper bound."""

    def __init__(self, starts: Sequence[int]) -> None:
        self.starts = list(starts)
        ends = [start - 1 for start in self.starts[1:]]
        self.names = [
            str(start) if start == end else f"{start}-{end}"
            for start, end in zip(self.starts, ends, strict=False)
        ]
        self.names.append(f"{self.starts[-1]} or more")

    def counts(self, values: Mapping[int, int]) -> Counter[str]:
        """Return how many values are in each range, by the name of the range."""
        span_counts: Counter[str] = Counter()
        for value, count in values.items():
            span_counts[self.names[bisect_right(self.starts, value) - 1]] += count
        return span_counts

    def chart(self, key: str, title: str, unit: str, values: Mapping[int, int]) -> Chart:
        """Return a chart of how many values are in each range."""
        return ordered(key, title, unit, self.counts(values), self.names)


def as_numbers(counts: Mapping[str, int]) -> Counter[int]:
    """Convert counts by text to counts by number, without missing values."""
    return Counter({int(name): count for name, count in counts.items() if name != ABSENT})


def middle(values: Mapping[int, int]) -> int:
    """Return the median of counted integers (the lower of two), 0 if there are none."""
    total = sum(values.values())
    passed = 0
    for value in sorted(values):
        passed += values[value]
        if 2 * passed >= total:
            return value
    return 0


def without_missing(names: Iterable[str]) -> list[str]:
    """Return the names, without the name that stands for missing values."""
    return [name for name in names if name != ABSENT]


SHAPES = ("no data flow", "chains", "fan-out", "fan-in", "fan-out and fan-in")
"""By the busiest node: each output taken once by steps with one input (chains), one output taken
by several (fan-out), one step taking several outputs (fan-in), or both."""


def count_shapes(edges: pa.Table, graphs: int) -> Counter[str]:
    """Count the shapes of `graphs` graphs; `edges` has the columns `graph`, `source`, `target`."""
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
    """Build a table of the edges of graphs, without edges that lack a source."""
    table = pa.table({"graph": graph, "source": source, "target": target})
    return table.filter(pc.is_valid(table.column("source")))
