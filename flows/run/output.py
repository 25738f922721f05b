"""Output of a stage: the rows of its tables, their counts, and further files of a shard."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec
import pyarrow as pa

from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from benchloom.core.records.rejected import rejected_order
from benchloom.storage.inputs import SourceFile
from benchloom.storage.stages import (
    ShardMark,
    forget_shard,
    part_path,
    read_shard_mark,
    write_shard_mark,
)
from benchloom.storage.tables import (
    PARQUET,
    TableWriter,
    TakenRow,
    open_parquet,
    part_writer,
    table_parts,
)
from flows.run.finished import StageReference


class Counts(msgspec.Struct):
    """The counts of a shard, which a correction changes together with its files."""

    rows: dict[str, int]
    reasons: dict[str, int]


class Shard(NamedTuple):
    """A shard: the folder of its stage, and its number."""

    folder: Path
    number: int

    def part(self, table: str) -> Path:
        """Return the file of a table; it is missing if the shard did not write the table."""
        return part_path(self.folder, table, self.number)

    def beside(self, name: str, ending: str) -> Path:
        """Return the file of this name that the shard writes beside its tables."""
        return self.folder / name / f"{self.number:05d}{ending}"

    @property
    def mark(self) -> ShardMark:
        """The counts of the shard, which is finished.

        Raises:
            RunError: the shard is missing, or was changed since it was written.
        """
        mark = read_shard_mark(self.folder, self.number)
        if mark is None:
            raise RunError(f"{self.folder}: shard {self.number} is missing; run again")
        return mark

    @contextmanager
    def correcting(self) -> Iterator[Counts]:
        """Let the block change the files and counts; if it is killed, the shard is made again."""
        mark = self.mark
        counts = Counts(dict(mark.rows), dict(mark.reasons))
        forget_shard(self.folder, self.number)
        yield counts
        write_shard_mark(
            self.folder,
            msgspec.structs.replace(
                mark, rows=counts.rows, reasons=counts.reasons, files=(), seal=""
            ),
        )


REJECTED = "rejected"


class Tables:
    """Rows of tables that are written to files of a folder, one file for each table.

    Args:
        folder: the folder.
        tables: the tables that get a file even without rows; other tables get a file on demand.
        path: returns the path of a table's file.
        compression: the compression of all tables except `rejected`: "zstd" for tables that are
            published, "lz4" for tables that the next stage reads and writes again.
    """

    def __init__(
        self,
        folder: Path,
        tables: Sequence[str],
        path: Callable[[str], Path],
        compression: str = "zstd",
    ) -> None:
        self.folder = folder
        self.path = path
        self._always = tables
        self._compression = compression
        self._writers: dict[str, TableWriter] = {}
        self._counts: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._stack = ExitStack()

    def add(self, table: str, row: msgspec.Struct | TakenRow, size: int = 0) -> None:
        """Write a row; `size` is its approximate number of bytes, used to size row groups."""
        self._writer(table).add(row, size)

    def add_all(self, table: str, rows: Iterable[msgspec.Struct]) -> None:
        """Write rows to a table; the table gets a file even if there are no rows."""
        writer = self._writer(table)
        for row in rows:
            writer.add(row)

    def reject(self, row: Rejected) -> None:
        """Write the reason why an object has no row, and count it."""
        self.add(REJECTED, row)
        self._reasons[row.reason] += 1

    def reject_sorted(self, rows: Iterable[Rejected], earlier: Iterable[Rejected] = ()) -> None:
        """Write rejected rows in sorted order, merged with those of earlier stages.

        Args:
            rows: the rejected rows of this stage, which are counted.
            earlier: the rejected rows of earlier stages, which are not counted.
        """
        own = list(rows)
        every = sorted([*own, *earlier], key=rejected_order)
        self.add_all(REJECTED, every)
        self._reasons.update(row.reason for row in own)

    def add_reasons(self, reasons: Mapping[str, int]) -> None:
        """Add the numbers of rejected rows by reason to the counts of this stage."""
        self._reasons.update(reasons)

    def add_rows(self, table: str, rows: pa.Table) -> None:
        """Write rows that have the schema of the table, as one row group."""
        self._writer(table).add_table(rows)

    def copy(self, table: str, folder: Path) -> None:
        """Write the rows of another stage's table unchanged and without counting them."""
        writer = self._writer(table)
        for part in table_parts(folder, table):
            with open_parquet(part) as file:
                for group in range(file.num_row_groups):
                    writer.add_table(file.read_row_group(group, use_threads=False))

    def wrote(self, table: str, rows: int) -> None:
        """Count rows of a table whose file at `path(table)` was written without this object."""
        self._counts[table] += rows

    def rows(self) -> dict[str, int]:
        """The number of rows of each table."""
        written = {table: writer.rows for table, writer in self._writers.items()}
        names = sorted({*written, *self._counts})
        return {name: written.get(name, 0) + self._counts[name] for name in names}

    def reasons(self) -> dict[str, int]:
        """The number of rejected rows of this stage by their reasons."""
        return dict(sorted(self._reasons.items()))

    def close(self) -> None:
        """Move the files to their final paths; afterwards `rows` counts the rows in them."""
        self._stack.close()

    def _writer(self, table: str) -> TableWriter:
        if table not in self._writers:
            compression = "zstd" if table == REJECTED else self._compression
            writer = part_writer(table, self.path(table), compression)
            self._writers[table] = self._stack.enter_context(writer)
        return self._writers[table]

    def __enter__(self) -> Self:
        for table in self._always:
            self._writer(table)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)


class OutputPlan(NamedTuple):
    """How the shards of a stage are written.

    Attributes:
        folder: the folder of the stage.
        tables: the tables that every shard writes, also without rows.
        stage: the digest of what decides every row: the name and the options of the stage.
        ending: the ending of the names of its files, `.parquet` or that of batches.
        compression: as in `Tables`.
    """

    folder: Path
    tables: Sequence[str]
    stage: str
    ending: str
    compression: str


class Output(Tables):
    """The rows of one shard; the shard is complete when the block ends without an error.

    Args:
        plan: how the shards of the stage are written.
        number: the number of the shard, from 0.

    Attributes:
        shard: the shard that is written.
        objects: the objects that were read, None where each is a row of the first table or
            rejected.
        inputs: the planned inputs that were read, where they are not the objects.
        merged: the objects that became part of the row of another one.
        row_keys: the digests of what its rows were made from, one for each row of the first
            table; None for a stage whose rows are not looked for by later runs.
        mark: what was counted, when the block has ended.
    """

    def __init__(self, plan: OutputPlan, number: int) -> None:
        super().__init__(plan.folder, plan.tables, self._path, plan.compression)
        self.stage = plan.stage
        self.number = number
        self.shard = Shard(plan.folder, number)
        self.objects: int | None = None
        self.inputs: int | None = None
        self.merged = 0
        self.row_keys: Sequence[bytes] | None = None
        self._ending = plan.ending

    def parts(self, table: str) -> list[Path]:
        """The files of a table that the shards before this one wrote."""
        paths = (part_path(self.folder, table, number) for number in range(self.number))
        return [path for path in paths if path.exists()]

    def _path(self, table: str) -> Path:
        return part_path(self.folder, table, self.number, self._ending)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, trace)
        if kind is None:
            self.mark = write_shard_mark(self.folder, self._mark())

    def _mark(self) -> ShardMark:
        rows, objects = self.rows(), self.objects
        if objects is None:
            first = rows[self._always[0]] if self._always else 0
            objects = first + sum(self._reasons.values())
        return ShardMark(
            number=self.number,
            objects=objects,
            rows=rows,
            reasons=self.reasons(),
            merged=self.merged,
            inputs=self.inputs,
        )


class Result(Tables):
    """The rows of a stage that is made in one piece.

    Attributes:
        objects: the objects that were read.
        decides: the stages, digests and options that decide the rows, besides our code.
        sources: the files it all came from.
    """

    def __init__(
        self, folder: Path, tables: Sequence[str], decides: Sequence[StageReference | str]
    ) -> None:
        super().__init__(folder, tables, lambda table: folder / f"{table}{PARQUET}")
        self.objects = 0
        self.decides = decides
        self.sources: Sequence[SourceFile] = ()
