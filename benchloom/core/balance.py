"""The check that a stage lost no input: each became a row, was rejected, or was merged."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from benchloom.core.errors import BalanceError


class _Counts(Protocol):
    # What a shard reports: rows per table, rejected objects per reason, and the planned inputs that
    # it read, or None if each object is one input.
    @property
    def objects(self) -> int: ...
    @property
    def rows(self) -> dict[str, int]: ...
    @property
    def reasons(self) -> dict[str, int]: ...
    @property
    def merged(self) -> int: ...
    @property
    def inputs(self) -> int | None: ...


class Balance(msgspec.Struct, frozen=True):
    """The inputs a stage has to account for.

    `planned` inputs were listed before the first shard was made; an object is one item read from an
    input. With `tables`, an object that is neither rejected nor merged gives exactly one row in one
    of them. `keeps_rejected`: rejected objects keep their row (a shortcut outside the evaluation
    split).
    """

    planned: int
    tables: tuple[str, ...] = ()
    keeps_rejected: bool = False

    def check(self, stage: str, shards: Sequence[_Counts]) -> None:
        """Raise BalanceError unless the shards account for every planned input and object."""
        read = sum(shard.objects if shard.inputs is None else shard.inputs for shard in shards)
        check_read(stage, self.planned, read)
        if not self.tables:
            return
        objects = sum(shard.objects for shard in shards)
        rows = sum(shard.rows.get(table, 0) for shard in shards for table in self.tables)
        rejected = (
            0 if self.keeps_rejected else sum(sum(shard.reasons.values()) for shard in shards)
        )
        merged = sum(shard.merged for shard in shards)
        if objects != rows + rejected + merged:
            fates = f"{rows} rows of {', '.join(self.tables)}, {rejected} rejected, {merged} merged"
            raise BalanceError(stage, f"{objects} objects were read, which became {fates}")


def check_read(stage: str, planned: int, read: int) -> None:
    """Raise BalanceError unless a stage read as many inputs as were planned."""
    if read != planned:
        raise BalanceError(stage, f"{planned} inputs were listed, {read} are accounted for")
