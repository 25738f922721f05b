"""Stage normalise, shortcuts: one row per distinct shortcut that may be published.

Every merged and every withheld row has its reason.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.code_digests.stage_code import StageCode
from benchloom.normalise.shortcuts.duplicates import (
    ROWS_PER_BUCKET,
    Choice,
    Places,
    choose,
    cut,
    read_keys,
)
from benchloom.normalise.shortcuts.origins import Origin, attach_origins, owners_of, read_origins
from benchloom.records import Rejected
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import (
    OpenParts,
    Place,
    TableWriter,
    iter_records,
    table_parts,
    take_stretches,
)
from benchloom.withholding.files import read_withheld, withhold_files
from flows.stages.kept_rows import key_of, keys_of_part, write_keys
from flows.stages.listings import captured as captured_listings
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import parse as parse_shortcuts

STAGE = "normalise-shortcuts"
CODE = StageCode(stage=STAGE, module=__name__, tables=("shortcuts", "rejected"))


class Plan(msgspec.Struct, frozen=True):
    """What every shard of the stage needs to know: where its rows lie, and what captures tell.

    `left_out` are the rows that no shard has, `origins` are by owner (see `origins`).
    """

    parsed: Path
    shards: Sequence[Places]
    left_out: Sequence[Rejected]
    origins: Mapping[str, Origin]


def prepare(
    parsed: Path, root: Path, listings: Path | None = None, opt_out: Sequence[str] = ()
) -> ShardedStage:
    """The stage over a complete parsed stage, in a folder of `root` named by its key.

    `listings` is a finished stage with what captures tell about the files (see `origins` and
    `withheld`). `opt_out` may name further shortcut ids to leave out.

    Raises:
        RunError: `parsed` or `listings` is not a complete stage.
    """
    mark = complete_mark(parsed, parse_shortcuts.STAGE)
    told = None if listings is None else complete_mark(listings, captured_listings.STAGE)
    withheld = read_withheld(listings).joined(opt_out)
    keys, rejected = withhold_files(list(read_keys(table_parts(parsed, "shortcuts"))), withheld)
    choice = choose(keys)
    choice = Choice(choice.kept, [*choice.left_out, *rejected])
    parts = [mark.key, withheld.key()]
    origins: dict[str, Origin] = {}
    if listings is not None and told is not None:
        parts.append(told.key)
        origins = read_origins(listings, keys)
    key = CODE.key(parts)
    folder = stage_path(root, "shortcuts", key)
    shards = cut(choice.kept)
    return ShardedStage(
        STAGE,
        key,
        folder,
        max(1, len(shards)),
        partial(normalise_shard, Plan(parsed, shards, choice.left_out, origins), out=folder),
        mark.sources,
        mark.funnel(),
    )


def normalise_shard(plan: Plan, number: int, out: Path) -> ShardMark:
    """Write one shard; the first one also writes all rejected rows, parsed and left out."""
    reasons: dict[str, int] = {}
    keys: list[bytes] | None = []
    with TableWriter("shortcuts", part_path(out, "shortcuts", number)) as writer:
        if number < len(plan.shards):
            parts = table_parts(plan.parsed, "shortcuts")
            places = plan.shards[number].read()
            found = iter(keys_of_places(parts, places))
            with OpenParts(parts) as opened:
                for table in take_stretches(opened, places, ROWS_PER_BUCKET, writer.path):
                    told = keys_of_rows(table, list(islice(found, table.num_rows)), plan.origins)
                    keys = None if keys is None or told is None else keys + told
                    _add(writer, attach_origins(table, plan.origins) if plan.origins else table)
    write_keys(out, number, keys)
    tables = {"shortcuts": writer.rows}
    objects = writer.rows
    if number == 0:
        tables["rejected"] = _write_rejected(plan, out)
        reasons = dict(Counter(row.reason for row in plan.left_out))
        objects += len(plan.left_out)
    mark = ShardMark(number=number, objects=objects, rows=tables, reasons=reasons)
    write_shard_mark(out, mark)
    return mark


def _add(writer: TableWriter, rows: pa.Table) -> None:
    step = writer.table.row_group_rows
    for start in range(0, rows.num_rows, step):
        writer.add_table(rows.slice(start, step))


def keys_of_places(parts: Sequence[Path], places: Sequence[Place]) -> list[bytes | None]:
    """What parsing noted the rows in these places to be made of; None where it is not told."""
    of_parts = {number: keys_of_part(parts[number]) for number in {one.part for one in places}}
    return [of_parts[one.part][one.row] for one in places]


def keys_of_rows(
    rows: pa.Table, parsed: Sequence[bytes | None], origins: Mapping[str, Origin]
) -> list[bytes] | None:
    """What rows are made of besides the keys that they were `parsed` with; None where one has none.

    `rows` are as they were parsed.
    """
    decides = CODE.key(()).encode()
    keys: list[bytes] = []
    for key, owner in zip(parsed, owners_of(rows), strict=True):
        if key is None:
            return None
        keys.append(key_of((decides, key, msgspec.msgpack.encode(origins.get(owner)))))
    return keys


def _write_rejected(plan: Plan, out: Path) -> int:
    rejected = [*iter_records(plan.parsed, "rejected", Rejected, 4096), *plan.left_out]
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    with TableWriter("rejected", part_path(out, "rejected", 0)) as writer:
        for row in rejected:
            writer.add(row)
    return writer.rows
