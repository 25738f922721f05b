"""Stage normalise, shortcuts: one row per distinct shortcut that may be published.

Every merged and every withheld row has its reason.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.balance import Balance
from benchloom.memory.code import stage_key
from benchloom.normalise.shortcuts.duplicates import (
    KeptOfPart,
    by_part,
    choose,
    kept_of,
    read_keys,
)
from benchloom.normalise.shortcuts.origins import (
    Origin,
    attach_origins,
    read_origins,
)
from benchloom.records import Rejected
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import OpenPart, TableWriter, iter_records, table_parts
from benchloom.withholding.files import read_withheld, withhold_files
from flows.stages.listings import captured as captured_listings
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import parse as parse_shortcuts

STAGE = "normalise-shortcuts"


class Plan(msgspec.Struct, frozen=True):
    """What every shard of the stage needs to know: the parsed parts, a shard for each.

    `kept` are the rows of each part that stay, `left_out` those that no shard has, `origins` what
    captures tell by owner (see `origins`).
    """

    parsed: Path
    parts: Sequence[Path]
    kept: Sequence[KeptOfPart]
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
    found = table_parts(parsed, "shortcuts")
    keys, rejected = withhold_files(list(read_keys(found)), withheld)
    choice = choose(keys)
    parts = [mark.key, withheld.key()]
    origins: dict[str, Origin] = {}
    if listings is not None and told is not None:
        parts.append(told.key)
        origins = read_origins(listings, keys)
    key = stage_key(STAGE, parts)
    folder = stage_path(root, "shortcuts", key)
    shards = by_part(choice.kept, len(found))
    kept = [kept_of(rows) for rows in shards]
    plan = Plan(parsed, found, kept, [*choice.left_out, *rejected], origins)
    return ShardedStage(
        STAGE,
        key,
        folder,
        len(found),
        partial(normalise_shard, plan, out=folder),
        mark.sources,
        mark.funnel(),
        closing=partial(leave_out, plan, out=folder),
        balance=Balance(mark.rows["shortcuts"], ("shortcuts",)),
    )


def normalise_shard(plan: Plan, number: int, out: Path) -> ShardMark:
    """Write the rows of a parsed part that are kept, as they lie there."""
    part = plan.parts[number]
    places = [(row, row) for row in plan.kept[number].numbers()]
    with (
        closing(OpenPart(part)) as opened,
        TableWriter("shortcuts", part_path(out, "shortcuts", number)) as writer,
    ):
        for group, picked in opened.by_group(places):
            rows = opened.rows(group).take(pa.array([row for row, _ in picked], pa.int64()))
            writer.add_table(attach_origins(rows, plan.origins) if plan.origins else rows)
    mark = ShardMark(
        number=number, objects=writer.rows, rows={"shortcuts": writer.rows}, reasons={}
    )
    write_shard_mark(out, mark)
    return mark


def leave_out(plan: Plan, number: int, out: Path) -> ShardMark:
    """Write all rejected rows, those of the parser and those that no shard has."""
    tables = {"rejected": _write_rejected(plan, part_path(out, "rejected", number))}
    reasons = Counter(row.reason for row in plan.left_out)
    mark = ShardMark(number=number, objects=len(plan.left_out), rows=tables, reasons=dict(reasons))
    write_shard_mark(out, mark)
    return mark


def _write_rejected(plan: Plan, path: Path) -> int:
    rejected = [*iter_records(plan.parsed, "rejected", Rejected, 4096), *plan.left_out]
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    with TableWriter("rejected", path) as writer:
        for row in rejected:
            writer.add(row)
    return writer.rows
