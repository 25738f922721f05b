"""Counts of samples in sparse columns, each of which stores only the counts that are not 0."""

from array import array
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_Joint: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]
SAMPLES = "samples"  # the count to which every sample adds 1


class CountTable(Mapping[str, NDArray[np.float64]]):
    """A table of counts with a row per sample; it maps each name to a column of shape (rows,).

    The column `samples` is all ones. A nonzero count takes 16 bytes and a zero takes none, so
    metrics may have a column for each of many classes.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._columns: dict[str, tuple[array[int], array[float]]] = {}
        self._joint: _Joint | None = None

    def add(self, counts: Mapping[str, float]) -> None:
        """Append a row with the counts of one sample."""
        for name, value in counts.items():
            if value:
                rows, values = self._columns.setdefault(name, (array("q"), array("d")))
                rows.append(self.rows)
                values.append(value)
        self.rows += 1
        self._joint = None

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
        """Return the indices of the rows in which a column is not 0, and the counts there."""
        rows, values = self._columns[name]
        return np.array(rows, dtype=np.int64), np.array(values)

    def _joined(self) -> _Joint:
        if self._joint is None:
            columns = self._columns.values()
            lengths = [len(values) for _, values in columns]
            self._joint = (
                np.concatenate([np.array(rows, dtype=np.int64) for rows, _ in columns]),
                np.concatenate([np.array(values) for _, values in columns]),
                np.cumsum([0, *lengths[:-1]]),
            )
        return self._joint

    def sums(self, rows: NDArray[np.int64] | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the sum of every column over `rows`, or over all rows if None, with shape (1,)."""
        if rows is None:
            weights = np.ones(self.rows)
        else:
            weights = np.zeros(self.rows)
            weights[rows] = 1
        column_sums = {SAMPLES: np.array([weights.sum()])}
        if self._columns:
            indices, values, starts = self._joined()
            totals = np.add.reduceat(values * weights[indices], starts)
            column_sums |= zip(self._columns, totals.reshape(-1, 1), strict=True)
        return column_sums


class Draws(Mapping[str, NDArray[np.float64]]):
    """Maps each name of a count to its sums over bootstrap draws, an array of shape (draws,).

    A column is summed when it is requested.
    """

    def __init__(self, table: CountTable, *, seed: int, draws: int) -> None:
        self._table = table
        size = table.rows
        generator = np.random.default_rng(seed)
        # Two bytes per sample and draw: 300 draws of 100,000 samples take 60 MB instead of 240 MB.
        self._times = np.empty((size, draws), dtype=np.uint16)
        for column in range(draws):
            rows = generator.integers(0, size, size)
            times = np.bincount(rows, minlength=size)
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
