"""Parts of a table that stay open while rows are read from them repeatedly.

Opening a part takes time in proportion to its row groups, which may be thousands.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Self

import pyarrow as pa

from benchloom.storage.tables.files import opened, typed_faults

MAX_OPEN = 4


class OpenPart:
    """An open part, of `table` if one is named; the last row group read stays in memory."""

    def __init__(self, path: Path, table: str | None = None) -> None:
        self._path = path
        self._file = opened(path, table)
        stored = self._file.metadata
        counts = (stored.row_group(group).num_rows for group in range(stored.num_row_groups))
        self.starts = [0, *accumulate(counts)]
        """The number of the first row of each row group, and that of all rows."""
        self._held: tuple[int, pa.Table] | None = None

    def rows(self, group: int) -> pa.Table:
        """Return the rows of a row group."""
        if self._held is None or self._held[0] != group:
            with typed_faults(self._path):
                self._held = group, self._file.read_row_group(group, use_threads=False)
        return self._held[1]

    def group_of(self, row: int) -> int:
        """Return the row group that contains a row, by the row's number in the part."""
        return bisect_right(self.starts, row) - 1

    def by_group(
        self, rows: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Group ascending (row, position) as (row group, [(row in the group, position)])."""
        index = 0
        while index < len(rows):
            group = self.group_of(rows[index][0])
            first, end = self.starts[group], self.starts[group + 1]
            picked: list[tuple[int, int]] = []
            while index < len(rows) and rows[index][0] < end:
                picked.append((rows[index][0] - first, rows[index][1]))
                index += 1
            yield group, picked

    def close(self) -> None:
        """Close the file."""
        self._held = None
        self._file.close()


class OpenParts:
    """The parts of a table; the most recently used stay open."""

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts
        self._open: dict[int, OpenPart] = {}

    def part(self, number: int) -> OpenPart:
        """Return a part by its number, opening it if needed."""
        open_part = self._open.pop(number, None) or OpenPart(self._parts[number])
        while len(self._open) >= MAX_OPEN:
            self._open.pop(next(iter(self._open))).close()
        self._open[number] = open_part
        return open_part

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._open.popitem()[1].close()
