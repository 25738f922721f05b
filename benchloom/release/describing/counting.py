"""Counting over batches: values of a nested column, spans, and sums by a name."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.release.describing.tables import ReleaseTables
from benchloom.words import UNTOLD

ABSENT = UNTOLD


def leaves(array: pa.Array, fields: Sequence[str]) -> pa.Array:
    """The values at the end of a path through lists and structs, nulls included."""
    for field in fields:
        if pa.types.is_list(array.type):
            array = pc.list_flatten(array)
        array = pc.struct_field(array, field)
    return pc.list_flatten(array) if pa.types.is_list(array.type) else array


def add_counts(counts: Counter[str], values: pa.Array) -> None:
    """Count the values of an array; null counts as "not told"."""
    for entry in pc.value_counts(values).to_pylist():
        counts[name_of(entry["values"])] += entry["counts"]


def name_of(value: object) -> str:
    """The name a value is counted under."""
    if value is None or value == "":
        return ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def count_values(tables: ReleaseTables, table: str, column: str) -> Counter[str]:
    """How often each value of a column stands in the table; empty without the column."""
    counts: Counter[str] = Counter()
    first, *fields = column.split(".")
    if tables.has(table, column):
        for batch in tables.batches(table, [column], rows=4096):
            add_counts(counts, leaves(batch.column(first), fields))
    return counts


def count_pairs(tables: ReleaseTables, table: str, one: str, two: str) -> Counter[tuple[str, str]]:
    """How often each pair of values of two plain columns stands in the table."""
    counts: Counter[tuple[str, str]] = Counter()
    if tables.has(table, one, two):
        for batch in tables.batches(table, [one, two], rows=4096):
            columns = (batch.column(one).to_pylist(), batch.column(two).to_pylist())
            counts.update((name_of(a), name_of(b)) for a, b in zip(*columns, strict=True))
    return counts


def list_sizes(tables: ReleaseTables, table: str, column: str) -> Counter[int]:
    """How many rows have a list of each length in a list column."""
    sizes: Counter[int] = Counter()
    if tables.has(table, column):
        for batch in tables.batches(table, [column]):
            for entry in pc.value_counts(pc.list_value_length(batch.column(column))).to_pylist():
                sizes[entry["values"] or 0] += entry["counts"]
    return sizes


class Spans:
    """Whole numbers from 0 in spans, for histograms; the last span is open."""

    def __init__(self, starts: Sequence[int]) -> None:
        self.starts = list(starts)
        ends = [start - 1 for start in self.starts[1:]]
        self.names = [
            str(start) if start == end else f"{start}-{end}"
            for start, end in zip(self.starts, ends, strict=False)
        ]
        self.names.append(f"{self.starts[-1]} or more")

    def counts(self, values: Mapping[int, int]) -> Counter[str]:
        """The counts of values, by the name of their span."""
        found: Counter[str] = Counter()
        for value, count in values.items():
            found[self.names[bisect_right(self.starts, value) - 1]] += count
        return found


def as_numbers(counts: Mapping[str, int]) -> Counter[int]:
    """Counts by number from counts by name; what is not told is left out."""
    return Counter({int(name): count for name, count in counts.items() if name != ABSENT})


def middle(values: Mapping[int, int]) -> int:
    """The median of counted whole numbers, the lower one of two; 0 of nothing."""
    total = sum(values.values())
    passed = 0
    for value in sorted(values):
        passed += values[value]
        if 2 * passed >= total:
            return value
    return 0


def told(names: Iterable[str]) -> list[str]:
    """The names without "not told"."""
    return [name for name in names if name != ABSENT]
