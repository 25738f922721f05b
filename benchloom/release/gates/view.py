"""What a gate looks at."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import pyarrow as pa

from benchloom.normalise.redaction.searched import looked_at, searched_texts
from benchloom.release.describing import ReleaseTables
from benchloom.release.manifest import Manifest
from benchloom.stages import plan_shards
from benchloom.tables import open_parquet, records_in, records_of
from benchloom.tables.digests import row_digests

PIECE_BYTES = 16 * 1024 * 1024
"""Rows of a piece take about so much before they are compressed; a gate has few pieces."""
BATCH_ROWS = 256
FEW_ROWS = 64
"""So many rows of a piece are held from one gate to the next, where no others are looked at."""
_PIECES = 64
"""Pieces whose digests of rows are held: 16 bytes each."""
R = TypeVar("R", bound=msgspec.Struct)


class Piece(NamedTuple):
    """Consecutive row groups of one file of a table."""

    table: str
    place: Path
    groups: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class GateView:
    """A release whose files were all found as its manifest says.

    Each is itself alone, so that what a gate makes of it can be kept for the next piece.
    """

    folder: Path
    manifest: Manifest
    tables: ReleaseTables

    def has(self, *names: str) -> bool:
        """Whether the release holds rows of all these tables."""
        rows = self.tables.rows()
        return all(rows.get(name) for name in names)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
        """The values of top-level columns, row by row; nothing where there is no such table."""
        for batch in self.tables.batches(table, columns, 4096):
            yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)

    def pieces(self, table: str) -> list[Piece]:
        """The rows of a table in pieces, which depend on its files alone; none without a table."""
        found: list[Piece] = []
        for part in self.tables.parts(table):
            with open_parquet(part) as file:
                count = file.num_row_groups
                sizes = [file.metadata.row_group(group).total_byte_size for group in range(count)]
            found += [
                Piece(table, part, tuple(range(start, stop)))
                for start, stop in plan_shards(sizes, PIECE_BYTES)
            ]
        return found

    def records(self, piece: Piece, record: type[R]) -> Iterator[R]:
        """The rows of a piece as typed records.

        Raises:
            RunError: the file is not readable, or holds other columns or values.
        """
        return records_in(piece.place, piece.table, record, row_groups=piece.groups)

    def findings_in(
        self,
        piece: Piece,
        record: type[R],
        find: Callable[[R], Iterable[str]],
        beside: Collection[str | None] = (),
    ) -> Iterator[str]:
        """What a function of a module, or a partial of one, finds in each row of a piece by itself.

        A row in which the same code found nothing before is not looked at again, where that is
        remembered. `beside` names the tables that a row is held against.

        Raises:
            RunError: the file is not readable, or holds other columns or values.
        """
        searched = searched_texts()
        if searched is None:
            for row in self.records(piece, record):
                yield from find(row)
            return
        told = (
            f"{file.path} {file.sha256}" for file in self.manifest.files if file.table in beside
        )
        function = find.func if isinstance(find, partial) else find
        how = f"{function.__module__}:{function.__qualname__} {' '.join(told)}".encode()
        digests = [looked_at(row, how) for row in _row_digests(self, piece)]
        fresh = [at for at, one in enumerate(digests) if not searched.is_sound(one)]
        for at, row in zip(fresh, self._some(piece, record, fresh), strict=True):
            found = list(find(row))
            if not found:
                searched.add_row(digests[at])
            yield from found

    def _some(self, piece: Piece, record: type[R], chosen: Sequence[int]) -> Iterator[R]:
        """The rows of a piece with these numbers, counted through it, in order."""
        few = len(chosen) <= FEW_ROWS
        found = _few(self, piece, tuple(chosen)) if few else _taken(piece, chosen)
        for batch in found:
            yield from records_of(batch.to_pylist(), piece.place, piece.table, record)

    def values(self, table: str, column: str) -> set[object]:
        """The distinct values of a column that are not null."""
        return {value for (value,) in self.rows(table, [column]) if value is not None}


@lru_cache(maxsize=_PIECES)
def _row_digests(release: GateView, piece: Piece) -> tuple[bytes, ...]:
    """The digests of the rows of a piece, which several gates ask for."""
    del release  # whose piece it is
    found: list[bytes] = []
    for batch in _batches(piece):
        found += row_digests(batch)
    return tuple(found)


@lru_cache(maxsize=_PIECES)
def _few(release: GateView, piece: Piece, chosen: Sequence[int]) -> tuple[pa.RecordBatch, ...]:
    """Some rows of a piece, at which several gates look one after another."""
    del release
    return tuple(_taken(piece, chosen))


def _taken(piece: Piece, chosen: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """The rows of a piece with these numbers, counted through it, in order."""
    left = deque(chosen)
    start = 0
    for batch in _batches(piece) if left else ():
        stop = start + batch.num_rows
        inside = []
        while left and left[0] < stop:
            inside.append(left.popleft() - start)
        if inside:
            yield batch.take(pa.array(inside, pa.int64()))
        start = stop


def _batches(piece: Piece) -> Iterator[pa.RecordBatch]:
    with open_parquet(piece.place) as file:
        groups = list(piece.groups)
        yield from file.iter_batches(BATCH_ROWS, row_groups=groups, use_threads=False)


Part = Callable[[GateView], Iterator[str]]
"""A part of what a gate finds, for any process: a function of a module, or a partial of one."""


def all_of(parts: Iterator[Part], release: GateView) -> Iterator[str]:
    """What the parts of a gate find, one after another."""
    for part in parts:
        yield from part(release)


def view_gate(folder: Path, manifest: Manifest) -> GateView:
    """The view of a release folder."""
    files = tuple(file for file in manifest.files if file.table is not None)
    return GateView(folder, manifest, ReleaseTables(folder, files))
