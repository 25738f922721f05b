"""Write the tables and further files of a stage's shards, and count their rows."""

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
    """The counts of a shard, to be corrected when the shard's files are corrected.

    `rows` counts the rows of each table, `reasons` the rejected rows for each reason.
    """

    rows: dict[str, int]
    reasons: dict[str, int]


class Part(NamedTuple):
    """The files that one shard of a stage writes.

    `folder` is the folder of the stage, `number` the number of the shard.
    """

    folder: Path
    number: int

    def file(self, table: str) -> Path:
        """Return the path of the shard's file for a table, even if the file was not written."""
        return part_path(self.folder, table, self.number)

    def beside(self, name: str, ending: str) -> Path:
        """Return the path of a file that the shard writes in addition to its tables."""
        return self.folder / name / f"{self.number:05d}{ending}"

    @property
    def counts(self) -> ShardMark:
        """The counts of the shard that wrote these files.

        Raises:
            RunError: the shard is missing, or was changed since it was written.
        """
        mark = read_shard_mark(self.folder, self.number)
        if mark is None:
            raise RunError(f"{self.folder}: shard {self.number} is missing; run the command again")
        return mark

    @contextmanager
    def correction(self) -> Iterator[Counts]:
        """Let the block change the shard's files and counts.

        If the process is killed inside the block, a later run makes the shard again.
        """
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
        tables: the tables that every shard writes, even if they have no rows.
        stage: the digest of the name and the options of the stage, which determine every row.
        ending: the suffix of the table files, such as `.parquet`.
        compression: the compression of the table files, as in `Tables`.
    """

    folder: Path
    tables: Sequence[str]
    stage: str
    ending: str
    compression: str


class Output(Tables):
    """A writer of one shard, which is complete when the `with` block ends without an error.

    Args:
        plan: how the shards of the stage are written.
        number: the number of the shard, from 0.

    Attributes:
        part: the files of the shard.
        objects: the number of objects that were read. None means that every object became a row of
            the first table or a rejected row.
        inputs: the number of planned inputs that were read, if it differs from the number of
            objects.
        merged: the number of objects that became part of the row of another object.
        row_keys: a digest of the inputs of each row of the first table. None means that later runs
            do not reuse the rows.
        mark: the completion record of the shard, which is set when the block has ended.
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
        """Return the files of a table that the shards with lower numbers wrote."""
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
    """A writer of the rows of a stage that is not divided into shards.

    Attributes:
        objects: the number of objects that were read.
        decides: the digests, the options and the keys of stages that determine the rows, besides
            our code.
        sources: the input files.
    """

    def __init__(self, folder: Path, tables: Sequence[str], decides: Sequence[str]) -> None:
        super().__init__(folder, tables, lambda table: folder / f"{table}{PARQUET}")
        self.objects = 0
        self.decides = decides
        self.sources: Sequence[SourceFile] = ()
