"""Stage normalise, plans: one row per plan, whatever number of dialogues it was made from.

Reads a finished conversion. `planning_paths` keeps one row of equal plans with all their dialogues;
`api_definitions` and `rejected` are taken over, so that the folder alone makes a release.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.plans.merging import PlanSources
from benchloom.plans.statistics import facts_of, markdown_table, statistics
from benchloom.records import ApiDefinition, PlanningPath, PlanSource, Rejected
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import TableWriter, iter_records, read_rows, table_parts, write_table
from benchloom.workspace import STATISTICS_TABLE, write_file
from flows.stages.dialogues import convert as convert_sgd
from flows.stages.sharded import ShardedStage, stage_path

STAGE = "normalise-plans"
CODE = StageCode(
    stage=STAGE, module=__name__, tables=("api_definitions", "planning_paths", "rejected")
)


class _Keys(msgspec.Struct, frozen=True):
    path_id: str
    dialogues: tuple[PlanSource, ...]


def prepare(converted: Path, root: Path) -> ShardedStage:
    """The stage over a complete conversion, one shard, in a folder of `root` named by its key.

    Raises:
        RunError: `converted` is not a complete conversion.
    """
    mark = complete_mark(converted, convert_sgd.STAGE)
    key = CODE.key([mark.key])
    folder = stage_path(root, "planning_paths", key)
    return ShardedStage(
        STAGE,
        key,
        folder,
        1,
        partial(merge_shard, converted, out=folder),
        mark.sources,
        mark.funnel(),
    )


def merge_shard(converted: Path, number: int, out: Path) -> ShardMark:
    """Write the plans: one shard, because every plan meets all others. Keys alone are in memory.

    No dialogue is left out: each stands in the row of its plan.
    """
    sources = PlanSources()
    dialogues = 0
    for keys in _keys(converted):
        sources.add(keys.path_id, keys.dialogues)
        dialogues += 1
    facts = []
    with TableWriter("planning_paths", part_path(out, "planning_paths", number)) as writer:
        for path in iter_records(converted, "planning_paths", PlanningPath):
            merged = sources.of(path.path_id)
            if merged[0] == path.dialogues[0]:
                writer.add(msgspec.structs.replace(path, dialogues=merged))
                facts.append(facts_of(path))
    write_file(out / STATISTICS_TABLE, markdown_table(statistics(facts)).encode())
    rows = {
        "api_definitions": write_table(
            "api_definitions",
            iter_records(converted, "api_definitions", ApiDefinition),
            part_path(out, "api_definitions", number),
        ),
        "planning_paths": writer.rows,
        "rejected": write_table(
            "rejected",
            iter_records(converted, "rejected", Rejected),
            part_path(out, "rejected", number),
        ),
    }
    mark = ShardMark(number=number, objects=dialogues, rows=rows, reasons={})
    write_shard_mark(out, mark)
    return mark


def _keys(converted: Path) -> Iterator[_Keys]:
    columns = list(_Keys.__struct_fields__)
    for part in table_parts(converted, "planning_paths"):
        for row in read_rows(part, columns).to_pylist():
            yield msgspec.convert(row, _Keys)
