"""Stage normalise, definitions: the catalogue of all parsed definitions.

Reads the `api_definitions` and `rejected` tables of any number of folders (definition files,
converted dialogues) and writes `api_definitions`, `conflicts` and `rejected`.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchloom.balance import Balance
from benchloom.memory.code import stage_key
from benchloom.normalise.definitions.catalogue import build_catalogue
from benchloom.normalise.definitions.control_definitions import with_control_actions
from benchloom.records import ApiDefinition, Rejected
from benchloom.stages import ShardMark, part_path, write_shard_mark
from benchloom.tables import iter_records, row_count, table_parts, write_table
from benchloom.workspace import StageMark
from flows.stages.sharded import ShardedStage, stage_path

STAGE = "normalise-definitions"
TABLES = ("api_definitions", "conflicts", "rejected")


def prepare(parsed: Sequence[tuple[Path, StageMark]], root: Path) -> ShardedStage:
    """The stage over finished parse stages (folder and mark), one shard, in a folder of `root`."""
    key = stage_key(STAGE, (mark.key for _, mark in parsed))
    folder = stage_path(root, "catalogue", key)
    sources = {file.source_uri: file for _, mark in parsed for file in mark.sources}
    return ShardedStage(
        STAGE,
        key,
        folder,
        1,
        partial(normalise_shard, tuple(path for path, _ in parsed), out=folder),
        [sources[uri] for uri in sorted(sources)],
        [step for _, mark in parsed for step in mark.funnel()],
        balance=Balance(sum(mark.rows["api_definitions"] for _, mark in parsed)),
    )


def normalise_shard(parsed: Sequence[Path], number: int, out: Path) -> ShardMark:
    """Write the catalogue; the whole stage is one shard, because every API meets all others."""
    rows, merged = write_catalogue(parsed, out, number)
    mark = ShardMark(
        number=number,
        objects=rows["api_definitions"] + merged,
        rows=rows,
        reasons={},
        merged=merged,
        inputs=sum(_written(folder) for folder in parsed),
    )
    write_shard_mark(out, mark)
    return mark


def _written(folder: Path) -> int:
    return sum(row_count(part) for part in table_parts(folder, "api_definitions"))


def write_catalogue(
    parsed: Sequence[Path], out: Path, number: int | None = None
) -> tuple[dict[str, int], int]:
    """Write the tables of the catalogue of some folders; rows per table, and definitions merged.

    With a `number` they are written as parts of a sharded stage.
    """
    catalogue = build_catalogue(with_control_actions(read_definitions(parsed)))
    rejected = [row for folder in parsed for row in iter_records(folder, "rejected", Rejected)]
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    tables = zip(TABLES, (catalogue.definitions, catalogue.conflicts, rejected), strict=True)
    rows = {
        table: write_table(
            table,
            records,
            out / f"{table}.parquet" if number is None else part_path(out, table, number),
        )
        for table, records in tables
    }
    return rows, catalogue.merged


def read_definitions(folders: Sequence[Path]) -> Iterator[ApiDefinition]:
    """The definitions of some folders."""
    for folder in folders:
        yield from iter_records(folder, "api_definitions", ApiDefinition)
