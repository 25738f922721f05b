"""Output of a stage: the rows of its tables, their counts, and further files of a shard."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.inputs import SourceFile
from benchloom.storage.stages import (
    ShardMark,
    forget_shard,
    part_path,
    read_shard_mark,
    write_shard_mark,
)
from benchloom.storage.tables import PARQUET
from benchloom.storage.tables.output import Tables


class Counts(msgspec.Struct):
    """The counts of a shard; a correction changes them together with the shard's files."""

    rows: dict[str, int]
    reasons: dict[str, int]


class Part(NamedTuple):
    """The part of a stage's output that one shard writes: the stage's folder, the shard number."""

    folder: Path
    number: int

    def file(self, table: str) -> Path:
        """Return the file of a table; it is missing if the shard did not write the table."""
        return part_path(self.folder, table, self.number)

    def beside(self, name: str, ending: str) -> Path:
        """Return a further file that the shard writes beside its tables."""
        return self.folder / name / f"{self.number:05d}{ending}"

    @property
    def counts(self) -> ShardMark:
        """The counts of this part's shard, which must be finished.

        Raises:
            RunError: the shard is missing, or was changed since it was written.
        """
        mark = read_shard_mark(self.folder, self.number)
        if mark is None:
            raise RunError(f"{self.folder}: shard {self.number} is missing; run the command again")
        return mark

    @contextmanager
    def correction(self) -> Iterator[Counts]:
        """Let the block change files and counts; if it is killed, the shard is made again."""
        mark = self.counts
        counts = Counts(dict(mark.rows), dict(mark.reasons))
        forget_shard(self.folder, self.number)
        yield counts
        write_shard_mark(
            self.folder,
            msgspec.structs.replace(
                mark,
                rows=counts.rows,
                reasons=counts.reasons,
                corrected=True,
                files=(),
                seal="",
            ),
        )


class OutputPlan(NamedTuple):
    """Options for writing the shards of a stage.

    Attributes:
        folder: the folder of the stage.
        tables: the tables that every shard writes, also without rows.
        stage: the digest of the name and the options of the stage, which determine every row.
        ending: the suffix of its files, `.parquet` or that of batches.
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
        part: the part that is written.
        objects: the number of objects read; None if each is a row of the first table or rejected.
        inputs: the number of planned inputs read, if it differs from the number of objects.
        merged: the number of objects that became part of the row of another object.
        row_keys: a digest of the inputs of each row of the first table; None for a stage whose rows
            later runs do not reuse.
        mark: the counts, after the block has ended.
    """

    def __init__(self, plan: OutputPlan, number: int) -> None:
        super().__init__(plan.folder, plan.tables, self._path, plan.compression)
        self.stage = plan.stage
        self.number = number
        self.part = Part(plan.folder, number)
        self.objects: int | None = None
        self.inputs: int | None = None
        self.merged = 0
        self.row_keys: Sequence[bytes] | None = None
        self._ending = plan.ending

    def parts(self, table: str) -> list[Path]:
        """Return the files of a table that the earlier shards wrote."""
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
        decides: the digests, keys of stages and options that determine the rows, besides our code.
        sources: the input files.
    """

    def __init__(self, folder: Path, tables: Sequence[str], decides: Sequence[str]) -> None:
        super().__init__(folder, tables, lambda table: folder / f"{table}{PARQUET}")
        self.objects = 0
        self.decides = decides
        self.sources: Sequence[SourceFile] = ()
