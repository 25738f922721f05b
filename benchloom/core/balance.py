"""The proof that a stage lost nothing: what went in came out, was rejected, or was merged."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from benchloom.core.errors import BalanceError


class Counts(Protocol):
    """What a shard or a stage counted."""

    @property
    def objects(self) -> int:
        """Objects received."""

    @property
    def rows(self) -> dict[str, int]:
        """Rows per table."""

    @property
    def reasons(self) -> dict[str, int]:
        """Rejected objects per reason."""

    @property
    def merged(self) -> int:
        """Objects that became part of the row of another one."""

    @property
    def inputs(self) -> int | None:
        """Planned inputs that were read, where they are not the objects."""


class Balance(msgspec.Struct, frozen=True):
    """What a stage has to account for.

    `planned` inputs were listed before the first shard was made. Every object that is neither
    rejected nor merged is a row of one of `tables`; without tables an object becomes any number of
    rows. `keeps_rejected` says that rejected objects keep their row (a shortcut that is left out of
    the evaluation split).
    """

    planned: int
    tables: tuple[str, ...] = ()
    keeps_rejected: bool = False

    def check(self, stage: str, shards: Sequence[Counts]) -> None:
        """Compare the counts of all shards with what was planned.

        Raises:
            BalanceError: an object is missing, or there is one too many.
        """
        read = sum(shard.objects if shard.inputs is None else shard.inputs for shard in shards)
        check_read(stage, self.planned, read)
        if not self.tables:
            return
        objects = sum(shard.objects for shard in shards)
        rows = sum(shard.rows.get(table, 0) for shard in shards for table in self.tables)
        rejected = 0 if self.keeps_rejected else _rejected(shards)
        merged = sum(shard.merged for shard in shards)
        if objects != rows + rejected + merged:
            fates = f"{rows} rows of {', '.join(self.tables)}, {rejected} rejected, {merged} merged"
            raise BalanceError(stage, f"{objects} objects were read, which became {fates}")


def check_read(stage: str, planned: int, read: int) -> None:
    """Compare how many inputs were listed with how many a stage accounts for.

    Raises:
        BalanceError: one is missing, or there is one too many.
    """
    if read != planned:
        raise BalanceError(stage, f"{planned} inputs were listed, {read} are accounted for")


def _rejected(shards: Iterable[Counts]) -> int:
    return sum(sum(shard.reasons.values()) for shard in shards)
