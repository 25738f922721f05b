"""Stage normalise, plans: one row per plan, whatever number of dialogues it was made from.

Reads finished conversions, one for each source. `planning_paths` keeps one row of equal plans with
all their dialogues; `dialogues` keeps what users said and `service_results` what services gave
back, both redacted;
`api_definitions` and `rejected` are taken over, so that the folder alone makes a release.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.balance import Balance
from benchloom.errors import BalanceError, RunError
from benchloom.garbage import fewer_collections
from benchloom.memory.code import stage_key
from benchloom.plans.merging import PlanSources
from benchloom.plans.statistics import facts_of, markdown_table, statistics
from benchloom.records import ApiDefinition, PlanningPath, PlanSource, Rejected
from benchloom.stages import ShardMark, part_path, write_shard_mark
from benchloom.tables import (
    TableWriter,
    iter_records,
    read_rows,
    records_in,
    table_parts,
    write_table,
)
from benchloom.tables.merging import RowSource, merge_rows
from benchloom.workspace import (
    CONVERSION,
    STATISTICS_TABLE,
    StageMark,
    scratch_folder,
    sound_mark,
    write_file,
)
from flows.stages.dialogues.results import merge_results
from flows.stages.dialogues.source_notes import sources_table
from flows.stages.dialogues.words import merge_words
from flows.stages.sharded import ShardedStage, stage_path

STAGE = "normalise-plans"
R = TypeVar("R", PlanningPath, Rejected)


class _Keys(msgspec.Struct, frozen=True):
    path_id: str
    dialogues: tuple[PlanSource, ...]


def is_conversion(mark: StageMark) -> bool:
    """Whether a stage converted dialogues, of whatever source."""
    return mark.stage.startswith(CONVERSION)


def prepare(converted: Sequence[Path], root: Path, opt_out: Sequence[str] = ()) -> ShardedStage:
    """The stage over complete conversions, one shard, in a folder of `root` named by its key.

    `opt_out` may hold ids of dialogues whose words nobody shall see; other entries are none of its
    business.

    Raises:
        RunError: a folder holds no complete conversion.
    """
    marks = [_mark(folder) for folder in converted]
    silent = sorted({one.strip() for one in opt_out if one.strip().startswith("dialogue:")})
    key = stage_key(STAGE, [*(mark.key for mark in marks), *silent])
    folder = stage_path(root, "planning_paths", key)
    return ShardedStage(
        STAGE,
        key,
        folder,
        1,
        partial(merge_shard, converted, out=folder, silent=silent),
        list(dict.fromkeys(chain.from_iterable(mark.sources for mark in marks))),
        list(chain.from_iterable(mark.funnel() for mark in marks)),
        balance=Balance(sum(mark.rows["planning_paths"] for mark in marks)),
    )


def _mark(folder: Path) -> StageMark:
    mark = sound_mark(folder)
    if mark is None or not is_conversion(mark):
        raise RunError(f"{folder} holds no complete conversion of dialogues")
    return mark


def merge_shard(
    converted: Sequence[Path], number: int, out: Path, *, silent: Sequence[str] = ()
) -> ShardMark:
    """Write the plans: one shard, because every plan meets all others. Keys alone are in memory.

    No dialogue is left out: each stands in the row of its plan.
    """
    with (
        fewer_collections(),
        scratch_folder(out, "merged") as scratch,
    ):
        return _merge(converted, number, out, silent, scratch)


def _merge(
    converted: Sequence[Path], number: int, out: Path, silent: Sequence[str], scratch: Path
) -> ShardMark:
    sources = PlanSources()
    dialogues = 0
    for keys in _keys(converted):
        sources.add(keys.path_id, keys.dialogues)
        dialogues += 1
    facts = []
    placed = 0
    with TableWriter("planning_paths", part_path(out, "planning_paths", number)) as writer:
        for path in _records(converted, "planning_paths", PlanningPath):
            merged = sources.of(path.path_id)
            if merged[0] == path.dialogues[0]:
                writer.add(msgspec.structs.replace(path, dialogues=merged))
                placed += len(merged)
                facts.append(facts_of(path))
    if placed != dialogues:
        raise BalanceError(STAGE, f"{dialogues} dialogues were read, {placed} are named by plans")
    tables = markdown_table(statistics(facts)), sources_table(converted)
    write_file(out / STATISTICS_TABLE, "\n".join(tables).encode())
    rows = {
        "api_definitions": write_table(
            "api_definitions",
            chain.from_iterable(
                records_in(part, "api_definitions", ApiDefinition)
                for part in _parts(converted, "api_definitions", scratch)
            ),
            part_path(out, "api_definitions", number),
        ),
        "dialogues": merge_words(
            [part for folder in converted for part in table_parts(folder, "planning_paths")],
            _parts(converted, "dialogues", scratch),
            silent,
            part_path(out, "dialogues", number),
            sources.split_of,
        ),
        "planning_paths": writer.rows,
        "rejected": write_table(
            "rejected",
            _records(converted, "rejected", Rejected),
            part_path(out, "rejected", number),
        ),
        "service_results": merge_results(
            _parts(converted, "service_results", scratch),
            silent,
            part_path(out, "service_results", number),
            sources.split_of,
        ),
    }
    mark = ShardMark(number=number, objects=dialogues, rows=rows, reasons={})
    write_shard_mark(out, mark)
    return mark


def _parts(converted: Sequence[Path], table: str, scratch: Path) -> list[Path]:
    """The files of a table of all conversions, in which no key is repeated.

    Raises:
        RunError: two conversions hold different rows under one key.
    """
    sources = [RowSource(folder, table_parts(folder, table)) for folder in converted]
    merged = merge_rows(table, sources, scratch / table) if len(sources) > 1 else None
    if merged is None:
        return [part for source in sources for part in source.parts]
    return [*chain.from_iterable(merged.parts), merged.further]


def _records(converted: Sequence[Path], table: str, kind: type[R]) -> Iterator[R]:
    for folder in converted:
        yield from iter_records(folder, table, kind)


def _keys(converted: Sequence[Path]) -> Iterator[_Keys]:
    columns = list(_Keys.__struct_fields__)
    for part in chain.from_iterable(table_parts(one, "planning_paths") for one in converted):
        for row in read_rows(part, columns).to_pylist():
            yield msgspec.convert(row, _Keys)
