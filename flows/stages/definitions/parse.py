"""Stage parse, definitions: files and app bundles to `api_definitions` and `rejected`.

The parts of the stage hold one row per API and file. `parse_to_folder`, which the command uses,
goes on to the catalogue: one row per API, with `conflicts` beside it.
"""

import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchloom.balance import Balance
from benchloom.inputs import (
    apart_from,
    list_nested_objects,
    pack_names,
    planned_objects,
    source_files,
    unpack_names,
)
from benchloom.memory.code import stage_key
from benchloom.records import ApiDefinition
from benchloom.stages import ShardMark, part_path, plan_shards, write_shard_mark
from benchloom.tables import write_table
from benchloom.workspace import StageMark, stage_folder, write_mark
from flows.stages.definitions.normalise import write_catalogue
from flows.stages.progress import Progress
from flows.stages.sharded import ShardedStage, covered_names, run_stage, stage_path
from parsers.definitions.bundles.units import Unit, find_units, parse_unit

STAGE = "parse-definitions"
SHARD_BYTES = 16 * 1024 * 1024
_PARTS = "parts"


def prepare(
    inputs: Sequence[Path], root: Path, *, app: str | None = None, fixed: bool = False
) -> ShardedStage:
    """The stage over these inputs, in a folder of `root` named by its key, or `fixed` in `root`.

    `app` is the identifier of the app for definition files that stand in no bundle.

    Raises:
        RunError: an input is missing or there is nothing to read.
    """
    with ExitStack() as stack, apart_from(*(() if fixed else (root.parent,))):
        sources = source_files(inputs)
        objects = list_nested_objects(inputs, stack)
        units, _ = find_units(objects, app)
        names = pack_names(one.source_uri for one in objects)
    parts = [app or ""]
    for file in sources:
        parts += [file.source_uri, file.digest]
    key = stage_key(STAGE, parts)
    folder = root if fixed else stage_path(root, "definitions", key)
    work = partial(parse_shard, inputs, names, out=folder, app=app)
    return ShardedStage(
        STAGE,
        key,
        folder,
        max(1, len(_ranges(units))),
        work,
        sources,
        inputs=inputs,
        balance=Balance(len(units)),
        covers=partial(covered_names, [unit.source.source_uri for unit in units], _ranges(units)),
    )


def _ranges(units: list[Unit]) -> list[tuple[int, int]]:
    return plan_shards([unit.source.size for unit in units], SHARD_BYTES)


def parse_shard(
    inputs: Sequence[Path], names: bytes, number: int, out: Path, *, app: str | None = None
) -> ShardMark:
    """Parse one shard of the inputs into `out`; the first one reports what is no definition.

    `names` are those of all objects that were planned, packed.
    """
    with ExitStack() as stack:
        objects = planned_objects(list_nested_objects(inputs, stack), unpack_names(names))
        units, rejected = find_units(objects, app)
        ranges = _ranges(units)
        start, stop = ranges[number] if ranges else (0, 0)
        if number:
            rejected = []
        definitions: list[ApiDefinition] = []
        read = 0
        for unit in units[start:stop]:
            definitions.extend(parse_unit(unit, rejected))
            read += 1
    rejected.sort(key=lambda r: (r.source_uri, r.reason, r.message))
    rows = {
        "api_definitions": write_table(
            "api_definitions", definitions, part_path(out, "api_definitions", number)
        ),
        "rejected": write_table("rejected", rejected, part_path(out, "rejected", number)),
    }
    reasons = Counter(row.reason for row in rejected)
    # A file and every part of it that could not be read count as objects of their own.
    whole = {row.source_uri for row in rejected}
    unread = sum(unit.source.source_uri in whole for unit in units[start:stop])
    mark = ShardMark(
        number=number,
        objects=stop - start - unread + len(rejected),
        rows=rows,
        reasons=dict(reasons),
        inputs=read,
    )
    write_shard_mark(out, mark)
    return mark


def parse_to_folder(
    inputs: Sequence[Path],
    out: Path,
    *,
    app: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> StageMark:
    """The catalogue of the inputs: `api_definitions`, `conflicts` and `rejected` in `out`."""
    with stage_folder(out, STAGE) as folder:
        parts = folder / _PARTS
        stage = prepare(inputs, parts, app=app, fixed=True)
        parsed = run_stage(stage, workers=workers, progress=progress)
        rows, _ = write_catalogue([parts], folder)
        shutil.rmtree(parts)
        mark = StageMark(
            stage=STAGE,
            key=stage_key(STAGE, ["catalogue", parsed.key]),
            objects=parsed.objects,
            rows=rows,
            reasons=parsed.reasons,
            sources=parsed.sources,
        )
        write_mark(folder, mark)
    return mark
