"""A sharded stage: what its shards are, which are done, and what they counted.

A stage writes into `<folder>/<table>/<table>-<shard>.parquet`; a shard is done when its mark in
`<folder>/shards/` exists, which is written last. The stage is complete when `stage.json` exists.
A killed run therefore goes on with the first missing shard.
"""

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from benchloom.errors import RunError
from benchloom.inputs import SourceFile
from benchloom.tables import TableWriter, table_parts
from benchloom.workspace import (
    FunnelStep,
    StageMark,
    read_mark,
    remove_leftovers,
    write_file,
    write_mark,
)

SHARDS = "shards"


class ShardMark(msgspec.Struct, frozen=True, kw_only=True):
    """What one finished shard holds: objects read, rows per table, rejected rows per reason."""

    number: int
    objects: int
    rows: dict[str, int]
    reasons: dict[str, int]


def part_path(folder: Path, table: str, number: int) -> Path:
    """The file of one shard of a table."""
    return folder / table / f"{table}-{number:05d}.parquet"


def _mark_path(folder: Path, number: int) -> Path:
    return folder / SHARDS / f"{number:05d}.json"


def write_shard_mark(folder: Path, mark: ShardMark) -> None:
    """Declare a shard done; call it after its files are in place."""
    write_file(_mark_path(folder, mark.number), msgspec.json.encode(mark))


def read_shard_mark(folder: Path, number: int) -> ShardMark | None:
    """The mark of a finished shard, None while it is missing."""
    path = _mark_path(folder, number)
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=ShardMark)
    except msgspec.DecodeError as error:
        raise RunError(f"{path}: {error}; remove it and run again") from error


def missing_shards(folder: Path, count: int) -> list[int]:
    """The shards that still have to be made, after removing what killed runs left behind."""
    for sub in (folder, *(path for path in folder.glob("*") if path.is_dir())):
        remove_leftovers(sub)
    return [number for number in range(count) if read_shard_mark(folder, number) is None]


def finish_stage(
    folder: Path,
    stage: str,
    key: str,
    count: int,
    *,
    sources: Sequence[SourceFile] = (),
    earlier: Sequence[FunnelStep] = (),
) -> StageMark:
    """Write `stage.json` from the marks of all shards.

    `sources` and `earlier` are what the stage's own inputs came from (see `StageMark`).

    Raises:
        RunError: a shard is missing.
    """
    rows: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    objects = 0
    for number in range(count):
        mark = read_shard_mark(folder, number)
        if mark is None:
            raise RunError(f"{stage}: shard {number} of {count} is missing; run again")
        rows.update(mark.rows)
        reasons.update(mark.reasons)
        objects += mark.objects
    stage_mark = StageMark(
        stage=stage,
        key=key,
        objects=objects,
        rows=dict(sorted(rows.items())),
        reasons=dict(sorted(reasons.items())),
        sources=tuple(sources),
        earlier=tuple(earlier),
    )
    write_mark(folder, stage_mark)
    return stage_mark


def complete_mark(folder: Path, stage: str) -> StageMark:
    """The mark of a stage that must be complete.

    Raises:
        RunError: the stage has not been run to its end in this folder.
    """
    mark = read_mark(folder)
    if mark is None or mark.stage != stage:
        raise RunError(f"{folder} holds no complete '{stage}' stage")
    return mark


def plan_shards(sizes: Sequence[int], shard_bytes: int, most: int) -> list[tuple[int, int]]:
    """Ranges of consecutive objects of about `shard_bytes` each, at most `most` of them.

    The plan depends on the objects alone, never on the number of workers.
    """
    target = max(shard_bytes, -(-sum(sizes) // most))
    ranges: list[tuple[int, int]] = []
    start, weight = 0, 0
    for index, size in enumerate(sizes):
        weight += size
        if weight >= target:
            ranges.append((start, index + 1))
            start, weight = index + 1, 0
    if start < len(sizes):
        ranges.append((start, len(sizes)))
    return ranges


def merge_parts(folder: Path, tables: Sequence[str]) -> None:
    """Turn the parts of each table into `<table>.parquet` and remove the shard marks.

    Row groups are copied in order, so memory does not grow with the number of shards.
    """
    for table in tables:
        parts = table_parts(folder, table)
        final = folder / f"{table}.parquet"
        if len(parts) == 1:
            parts[0].replace(final)
        else:
            with TableWriter(table, final) as writer:
                for part in parts:
                    with pq.ParquetFile(part) as file:
                        for group in range(file.num_row_groups):
                            writer.add_table(file.read_row_group(group, use_threads=False))
        shutil.rmtree(folder / table)
    shutil.rmtree(folder / SHARDS)
