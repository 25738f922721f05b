"""Stage evaluation split: shortcuts joined with the definitions of their APIs.

Reads normalised shortcuts and a catalogue; writes `shortcuts` (their workflow with the summaries of
the APIs filled in), `definition_checks` and `apps`, and takes over `api_definitions` (with our own
definitions of control actions), `conflicts` and the `rejected` of both, so that its folder alone
makes a release. A shortcut that is left out
of the evaluation split keeps its row in `shortcuts` and gets one in `rejected` with the reason.
"""

from collections import Counter
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from benchloom.balance import Balance
from benchloom.errors import RunError
from benchloom.garbage import fewer_collections
from benchloom.identity import tagged_digest
from benchloom.memory.code import stage_key
from benchloom.normalise.definitions.app_marks import read_marks
from benchloom.normalise.definitions.app_table import AppCounts, CountedApp
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.normalise.definitions.loading import complete_definitions, load_index
from benchloom.records import App, Rejected, Shortcut
from benchloom.stages import ShardMark, part_path, write_shard_mark
from benchloom.tables import (
    TableWriter,
    iter_records,
    open_parquet,
    records_of,
    table_parts,
    write_table,
)
from benchloom.workspace import StageMark, command_again, write_file
from flows.stages.earlier_rows import EarlierRows, earlier_rows, shortcut_keys
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts.joining import STAGE, Joining

BATCH_ROWS = 256


class Plan(msgspec.Struct, frozen=True):
    """What every shard of the stage needs to know.

    `parts` are the files of shortcuts, a shard for each; `marks` is the operator's file of app
    marks; `decides` is the digest of what decides a row besides the shortcut.
    """

    shortcuts: Path
    catalogue: Path
    marks: Path
    parts: tuple[Path, ...]
    decides: str


def prepare(
    shortcuts: tuple[Path, StageMark],
    catalogue: tuple[Path, StageMark],
    marks: Path,
    root: Path,
) -> ShardedStage:
    """The stage over finished shortcuts and definitions, in a folder of `root`.

    `marks` is the operator's file of app marks; it need not exist.
    """
    read_marks(marks)
    marked = tagged_digest("file", marks.read_bytes()) if marks.is_file() else ""
    key = stage_key(STAGE, [shortcuts[1].key, catalogue[1].key, marked])
    decides = stage_key(STAGE, [catalogue[1].key, marked])
    folder = stage_path(root, "evaluation", key)
    parts = tuple(table_parts(shortcuts[0], "shortcuts"))
    plan = Plan(shortcuts[0], catalogue[0], marks, parts, decides)
    sources = {
        file.source_uri: file for mark in (shortcuts[1], catalogue[1]) for file in mark.sources
    }
    return ShardedStage(
        STAGE,
        key,
        folder,
        len(parts),
        partial(join_shard, plan, out=folder),
        [sources[uri] for uri in sorted(sources)],
        (*catalogue[1].funnel(), *shortcuts[1].funnel()),
        closing=partial(close_stage, plan, out=folder),
        balance=Balance(shortcuts[1].rows["shortcuts"], ("shortcuts",), keeps_rejected=True),
    )


def join_shard(plan: Plan, number: int, out: Path) -> ShardMark:
    """Join the shortcuts of a file, some in memory at a time, and count their apps."""
    index = _index(plan.catalogue)
    with (
        fewer_collections(),
        earlier_rows(out, plan.decides, number, ("shortcuts", "definition_checks")) as earlier,
        TableWriter("shortcuts", part_path(out, "shortcuts", number)) as rows,
        TableWriter("definition_checks", part_path(out, "definition_checks", number)) as checks,
    ):
        joining = Joining(index, read_marks(plan.marks), rows, checks)
        _join_part(plan.parts[number], joining, earlier)
    write_file(_counts_path(out, number), msgspec.msgpack.encode(joining.counts.counted()))
    written = {
        "shortcuts": rows.rows,
        "definition_checks": checks.rows,
        "rejected": _write_rejected(joining.left_out, number, out),
    }
    reasons = Counter(row.reason for row in joining.left_out)
    mark = ShardMark(number=number, objects=rows.rows, rows=written, reasons=dict(reasons))
    write_shard_mark(out, mark)
    return mark


def close_stage(plan: Plan, number: int, out: Path) -> ShardMark:
    """Write the table of apps from what all shards before this one counted.

    Takes over the catalogue and what was rejected before as well.

    Raises:
        RunError: what one of them counted cannot be read.
    """
    rejected: list[Rejected] = []
    for folder in (plan.shortcuts, plan.catalogue):
        rejected += iter_records(folder, "rejected", Rejected, 4096)
    written = {
        "apps": write_table("apps", _apps(plan, number, out), part_path(out, "apps", number)),
        "conflicts": _copy(plan.catalogue, "conflicts", part_path(out, "conflicts", number)),
        "api_definitions": write_table(
            "api_definitions",
            complete_definitions(plan.catalogue),
            part_path(out, "api_definitions", number),
        ),
        "rejected": _write_rejected(rejected, number, out),
    }
    mark = ShardMark(number=number, objects=0, rows=written, reasons={})
    write_shard_mark(out, mark)
    _index.cache_clear()
    return mark


def _write_rejected(rejected: list[Rejected], number: int, out: Path) -> int:
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    return write_table("rejected", rejected, part_path(out, "rejected", number))


def _apps(plan: Plan, number: int, out: Path) -> list[App]:
    """The apps that so many shards counted."""
    counts = AppCounts()
    for one in range(number):
        path = _counts_path(out, one)
        try:
            counts.take(_COUNTED.decode(path.read_bytes()))
        except (OSError, UnicodeDecodeError, RecursionError, msgspec.DecodeError) as error:
            raise RunError(f"{path}: {error}; {command_again(out)}") from error
    return counts.table(read_marks(plan.marks))


_COUNTED = msgspec.msgpack.Decoder(list[CountedApp])


def _counts_path(folder: Path, number: int) -> Path:
    return folder / "counts" / f"{number:05d}.apps"


@lru_cache(maxsize=1)
def _index(catalogue: Path) -> DefinitionIndex:
    """The definitions that every shard needs; stages are not written again once they are there."""
    return load_index(catalogue)


def _join_part(part: Path, joining: Joining, earlier: EarlierRows) -> None:
    """Join the shortcuts of a file, those of an earlier run as they lie there."""
    with open_parquet(part, "shortcuts") as file:
        for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
            keys = [(key,) for key in shortcut_keys(batch)]
            for at, found in enumerate(earlier.find_all(keys)):
                if found is None:
                    row = batch.slice(at, 1).to_pylist()
                    joining.make(*records_of(row, part, "shortcuts", Shortcut))
                else:
                    joining.take(*found)


def _copy(folder: Path, table: str, path: Path) -> int:
    """A table of another stage as one part, its row groups as they are."""
    with TableWriter(table, path) as writer:
        for part in table_parts(folder, table):
            with open_parquet(part) as file:
                for group in range(file.num_row_groups):
                    writer.add_table(file.read_row_group(group, use_threads=False))
    return writer.rows
