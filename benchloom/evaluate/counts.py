"""What samples count, as columns: a column keeps the samples alone that add something to it."""

from array import array
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

SAMPLES = "samples"
"""The name of the count that every sample adds 1 to."""


class CountTable(Mapping[str, NDArray[np.float64]]):
    """Counts by name, each of shape (rows,); `samples` is a column of ones.

    Takes 16 bytes for each count that is not zero, so that a column for every class of a macro
    figure is cheap.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._columns: dict[str, tuple[array[int], array[float]]] = {}

    def add(self, counts: Mapping[str, float]) -> None:
        """Append one sample."""
        for name, value in counts.items():
            if value:
                rows, values = self._columns.setdefault(name, (array("q"), array("d")))
                rows.append(self.rows)
                values.append(value)
        self.rows += 1

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == SAMPLES:
            return np.ones(self.rows)
        rows, values = self.entries(name)
        column = np.zeros(self.rows)
        column[rows] = values
        return column

    def __iter__(self) -> Iterator[str]:
        yield from self._columns
        yield SAMPLES

    def __len__(self) -> int:
        return len(self._columns) + 1

    def entries(self, name: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The rows of a column that are not zero, and their values."""
        rows, values = self._columns[name]
        return np.array(rows, dtype=np.int64), np.array(values)

    def sums(self, rows: NDArray[np.int64] | None = None) -> dict[str, NDArray[np.float64]]:
        """The sums of all columns over some rows, each of shape (1,); over all where None."""
        taken = np.ones(self.rows, dtype=bool) if rows is None else np.zeros(self.rows, dtype=bool)
        if rows is not None:
            taken[rows] = True
        found = {SAMPLES: np.array([float(taken.sum())])}
        for name in self._columns:
            at, values = self.entries(name)
            found[name] = np.array([values[taken[at]].sum()])
        return found


class Draws(Mapping[str, NDArray[np.float64]]):
    """Sums of samples drawn with replacement, each of shape (draws,), computed when asked for."""

    def __init__(self, table: CountTable, *, seed: int, draws: int) -> None:
        self._table = table
        size = table.rows
        generator = np.random.default_rng(seed)
        self._times = np.empty((size, draws), dtype=np.uint16)
        for column in range(draws):
            drawn = generator.integers(0, size, size)
            times = np.bincount(drawn, minlength=size)
            self._times[:, column] = np.minimum(times, np.iinfo(np.uint16).max)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == SAMPLES:
            return np.full(self._times.shape[1], float(self._table.rows))
        rows, values = self._table.entries(name)
        return values @ self._times[rows]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)
