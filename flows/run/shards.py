"""The files and counts of a shard, for functions that write or correct more than its tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.stages import (
    ShardMark,
    forget_shard,
    part_path,
    read_shard_mark,
    write_shard_mark,
)


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
