"""Stages whose rows come in order from one process, such as the replies of a model.

The rows are written in chunks. A killed run continues after the last chunk that it finished.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.balance import Balance
from benchloom.core.errors import RunError
from benchloom.storage.memory.code import stage_key
from benchloom.storage.stages import (
    SHARDS,
    drop_parts,
    finish_stage,
    merge_parts,
    part_path,
    read_shard_mark,
)
from benchloom.storage.tables import PARQUET
from benchloom.storage.workspace import (
    STAGE_FILE,
    read_mark,
    refuse_output,
    remove_leftovers,
    write_file,
    write_mark,
)
from flows.run.finished import FinishedStage, StageReference, digests_of, find_stage
from flows.run.output import Output, OutputPlan

_KEY_FILE = "generate.key"


class Chunk(NamedTuple):
    """A finished chunk: the number of objects of which it was made, and its tables' files."""

    objects: int
    files: Mapping[str, Path]


class Chunks:
    """The chunks of a stage.

    Args:
        out: the folder of the stage.
        name: the name of the stage.
        tables: the tables that every chunk writes.
        decides: everything that decides the rows, besides our code.
    """

    def __init__(
        self, out: Path, name: str, tables: Sequence[str], decides: Sequence[StageReference | str]
    ) -> None:
        self._out = out
        self._name = name
        self._tables = tables
        self._key = stage_key(name, digests_of(decides))
        self._count = 0

    def finished(self) -> FinishedStage | None:
        """Return the finished stage, or None while something is missing."""
        mark = read_mark(self._out)
        if mark is not None and mark.key == self._key and (self._out / SHARDS).is_dir():
            drop_parts(self._out, self._tables)  # the run before this one was killed doing so
        return find_stage(self._out, self._key)

    def begin(self, source: Path) -> None:
        """Empty the folder, unless it contains chunks of an unfinished run of this stage.

        Raises:
            RunError: the folder is no place for this stage, for example its `source`.
        """
        out = self._out
        refuse_output(out)
        if out.resolve() == source.resolve():
            raise RunError(f"{out} is both the input and the output; give --out another folder")
        mark = read_mark(out)
        if mark is not None and mark.stage != self._name:
            raise RunError(f"{out} holds the result of '{mark.stage}'; choose another folder")
        note = out / _KEY_FILE
        if mark is None and note.is_file() and note.read_text() == self._key:
            for folder in (out, out / SHARDS, *(out / table for table in self._tables)):
                remove_leftovers(folder)
            return
        (out / STAGE_FILE).unlink(missing_ok=True)
        shutil.rmtree(out / SHARDS, ignore_errors=True)
        for table in self._tables:
            shutil.rmtree(out / table, ignore_errors=True)
            (out / f"{table}.parquet").unlink(missing_ok=True)
        write_file(note, self._key.encode())

    def earlier(self) -> Iterator[Chunk]:
        """Yield the chunks that an earlier run finished; the next chunk is written after them."""
        while (mark := read_shard_mark(self._out, self._count)) is not None:
            paths = {table: part_path(self._out, table, self._count) for table in self._tables}
            self._count += 1
            yield Chunk(mark.objects, paths)

    def write(
        self,
        rows: Mapping[str, Sequence[msgspec.Struct]],
        objects: int,
        reasons: Mapping[str, int],
    ) -> None:
        """Write the rows of each table as the next chunk, which `objects` became."""
        plan = OutputPlan(self._out, self._tables, "", PARQUET, "zstd")
        with Output(plan, self._count) as output:
            for table in self._tables:
                output.add_all(table, rows[table])
            output.add_reasons(reasons)
            output.objects = objects
        self._count += 1

    def finish(self, planned: int, balance: tuple[str, ...]) -> FinishedStage:
        """Merge the chunks into one file for each table, and mark the stage as complete.

        Args:
            planned: the number of objects that there were.
            balance: as in `Stage`.

        Raises:
            BalanceError: the chunks do not account for all objects.
        """
        merge_parts(self._out, self._tables)
        mark = finish_stage(
            self._out,
            self._name,
            self._key,
            self._count,
            others=self._others(),
            balance=Balance(planned, balance),
        )
        drop_parts(self._out, self._tables)
        mark = write_mark(self._out, msgspec.structs.replace(mark, others=tuple(self._others())))
        return FinishedStage(self._out, mark)

    def _others(self) -> list[str]:
        """Names in the folder other than the stage's final files, including temporary ones."""
        own_files = {_KEY_FILE, STAGE_FILE, *(f"{table}.parquet" for table in self._tables)}
        return sorted(path.name for path in self._out.iterdir() if path.name not in own_files)
