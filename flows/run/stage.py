"""This module describes a stage of the pipeline as data: its inputs, its tables, its functions.

A stage module builds a `Stage` and knows nothing of shards, processes and files. The same
object is run by `runner.run_stage` or, as a task of Prefect, by `flows.engine.stage_task`.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, Self, TypeVar

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.storage.code import stage_key
from benchloom.storage.inputs import SourceFile, refuse_changes
from benchloom.storage.memory import Memory, remembering, with_memory
from benchloom.storage.memory.last_rebuild import stage_used
from benchloom.storage.memory.rows import link_shards, remember_keys, remember_shards
from benchloom.storage.stages import (
    Balance,
    ShardMark,
    finish_stage,
    missing_shards,
    read_shard_mark,
)
from benchloom.storage.tables import PARQUET
from benchloom.storage.workspace import KEY_DIGITS, MEMORY
from flows.run.each import EachObject, EachShortcut
from flows.run.finished import FinishedStage, find_stage
from flows.run.output import Output, OutputPlan, Part
from flows.run.processes.lean import fewer_collections
from flows.run.reads import Reads

S = TypeVar("S")
T = TypeVar("T")


def nothing_shared() -> None:
    """Return None, the shared value of a stage whose shards need only their inputs."""


@dataclass(frozen=True, kw_only=True)
class Stage(Generic[S, T]):
    """A stage of the pipeline, which makes tables from inputs.

    Attributes:
        name: its name in `stage.json`, in output lines and in logs.
        subject: the beginning of the path of its folder in a workspace.
        reads: its inputs, divided among shards.
        tables: the tables that every shard writes; those of `make` come first.
        make: writes the rows of one shard, from the shared value and the inputs of the shard. It is
            sent to other processes, so it is a function of a module or an object such as
            `EachShortcut`.
        shared: computes the value that every shard needs. The value should be small, because every
            process gets it.
        close: writes one more shard from the results of all other shards.
        end: reads or corrects the files of all shards, before the counts in them are checked with
            `balance`.
        merge: merges the further files that shards wrote beside their tables, if a command sets the
            folder.
        options: values that determine every row, besides the inputs.
        also: keys of stages and digests that determine the shared value. Without `concerns` they
            determine every row.
        concerns: returns the part of the shared value that determines a shard. For rows made one by
            one it is `EachShortcut.concern`.
        balance: the tables in which every object has a row, unless it was rejected or merged. It is
            empty if an object may give any number of rows, and None if nothing is checked.
        keeps_rejected: whether rejected objects also have a row in the tables of `balance`.
        folder: the folder of the result, if a command sets it; then no results of other runs are
            reused. The runner sets it.
        workspace: the workspace of the result; `below` sets it.
        ending, compression: as in `OutputPlan`.
    """

    name: str
    subject: str
    reads: Reads[T]
    make: Callable[[S, T, Output], None]
    tables: tuple[str, ...]
    shared: Callable[[], S]
    close: Callable[[S, Output], None] | None = None
    end: Callable[[Sequence[Part]], None] | None = None
    merge: Callable[[Sequence[Part]], None] | None = None
    options: Sequence[str] = ()
    also: Sequence[str] = ()
    concerns: Callable[[S, T], Iterable[str]] | None = None
    balance: tuple[str, ...] | None = None
    keeps_rejected: bool = False
    folder: Path | None = None
    workspace: Path | None = None
    ending: str = PARQUET
    compression: str = "zstd"

    @cached_property
    def key(self) -> str:
        """The digest of everything that determines the result."""
        return stage_key(self.name, [*self.options, *self.also, *self.reads.decides])

    @cached_property
    def path(self) -> Path:
        """The folder of the result; stages with different keys have different folders."""
        if self.folder is not None:
            return self.folder
        if self.workspace is None:
            raise ValueError(f"{self.name}: the stage has neither a workspace nor a folder")
        return stage_path(self.workspace, self.subject, self.key)

    def below(self, workspace: Path) -> Self:
        """Return this stage with `workspace` as the workspace of its result."""
        return self if self.workspace == workspace else replace(self, workspace=workspace)

    @property
    def sources(self) -> Sequence[SourceFile]:
        """The files from which the rows are made."""
        return self.reads.sources

    @property
    def count(self) -> int:
        """The number of shards, not counting the additional shard that `close` writes."""
        return len(self.reads.shards)

    def reused_results(self) -> AbstractContextManager[Memory | None]:
        """Let the block reuse results of earlier runs, if the stage is in a workspace."""
        return remembering(self._memory)

    @property
    def _memory(self) -> Path | None:
        within = self.workspace if self.folder is None else None
        return None if within is None else within / MEMORY

    def parts(self) -> list[Part]:
        """Return the files of each shard, without the additional shard that `close` writes."""
        return [Part(self.path, number) for number in range(self.count)]

    def shard_name(self, number: int) -> str:
        """Return the name of a shard in messages, with its inputs if they are known."""
        name = f"{self.name} shard {number + 1} of {self.count}"
        covers = self.reads.covers
        return name if covers is None else f"{name} ({covers(number)})"

    def shard_work(self) -> Callable[[int], ShardMark]:
        """Return a picklable function that makes the shard with a number."""
        work = _Work(self._output(self.tables), self.make, self._shared, self.reads.shards)
        return with_memory(partial(_make_shard, work))

    def complete(self) -> FinishedStage | None:
        """Return the finished stage, or None if it is not finished.

        Raises:
            RunError: the stage was finished, but its files were changed afterwards.
        """
        stage_used(self.path)
        return find_stage(self.path, self.key)

    def missing(self) -> list[int]:
        """Link the files of shards that earlier runs made; return the numbers of missing shards."""
        with self.reused_results():
            link_shards(self.path, self._shard_keys)
        return missing_shards(self.path, self.count)

    def finish(self) -> FinishedStage:
        """Mark the stage as complete after all shards are made, and return it.

        Raises:
            RunError: an input file was changed or is missing.
            BalanceError: the shards do not account for all inputs.
        """
        reads, count = self.reads, self.count
        # First: shards that were made while inputs changed must not be remembered.
        if reads.files:
            refuse_changes(reads.files, reads.sources)
        if self._memory is not None:
            table = self.tables[0] if isinstance(self.make, (EachObject, EachShortcut)) else ""
            remember_shards(self.path, self._shard_keys, self._rows_key, table)
        if self.end is not None:
            self.end(self.parts())
        if self.close is not None:
            # An earlier run may have made this shard before it was killed.
            if read_shard_mark(self.path, count) is None:
                with Output(self._output(()), count) as output:
                    self.close(self._shared, output)
            count += 1
        balance = self.balance
        mark = finish_stage(
            self.path,
            self.name,
            self.key,
            count,
            sources=self.sources,
            earlier=reads.earlier,
            balance=None
            if balance is None
            else Balance(reads.planned, balance, self.keeps_rejected),
        )
        return FinishedStage(self.path, mark)

    def _output(self, tables: Sequence[str]) -> OutputPlan:
        return OutputPlan(self.path, tables, self._rows_key, self.ending, self.compression)

    @cached_property
    def _shared(self) -> S:
        return self.shared()

    @cached_property
    def _rows_key(self) -> str:
        """The digest of everything that affects all rows, such as options, without the inputs."""
        also = [] if self.concerns else self.also
        return stage_key(self.name, [*self.options, *also])

    @property
    def what(self) -> str:
        """A description of the stage: the first docstring line of the module that makes rows."""
        function = getattr(self.make, "rows", getattr(self.make, "row", self.make))
        plain = getattr(function, "func", function)  # a partial contains the function
        text = sys.modules[plain.__module__].__doc__ or self.name
        return text.strip().splitlines()[0]

    @cached_property
    def _shard_keys(self) -> list[str]:
        """The digest of each shard's inputs ("" if unknown), or no digests without a workspace."""
        contents = self.reads.contents
        if self._memory is None:
            return []
        if contents is None:
            return [""] * self.count
        keys: list[str] = []
        for number, shard in enumerate(self.reads.shards):
            parts = list(contents(number))
            if "" in parts:
                keys.append("")
                continue
            concerns = () if self.concerns is None else self.concerns(self._shared, shard)
            # No part is empty here, so "" separates the parts from the concerns.
            keys.append(digest_of_parts("shard", [self._rows_key, *parts, "", *concerns]))
        return keys


AnyStage = Stage[Any, Any]


class _Work(NamedTuple, Generic[S, T]):
    """Everything that another process needs in order to make the shards of a stage."""

    output: OutputPlan
    make: Callable[[S, T, Output], None]
    shared: S
    shards: Sequence[T]


def _make_shard(work: _Work[S, T], number: int) -> ShardMark:
    with fewer_collections():
        with Output(work.output, number) as output:
            work.make(work.shared, work.shards[number], output)
        if output.row_keys is not None:
            remember_keys(output.mark, work.output.tables[0], output.row_keys)
        return output.mark


def stage_path(workspace: Path, subject: str, key: str) -> Path:
    """Return the folder of a stage in a workspace; a different key gives a different folder."""
    return workspace / f"{subject}-{hex_of(key)[:KEY_DIGITS]}"
