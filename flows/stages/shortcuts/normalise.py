"""Stage normalise, shortcuts: one row per distinct shortcut that may be published.

Every merged and every withheld row has its reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.balance import Balance
from benchloom.code_digests.stage_code import StageCode
from benchloom.normalise.shortcuts.duplicates import (
    KeptOfPart,
    by_part,
    choose,
    kept_of,
    read_keys,
)
from benchloom.normalise.shortcuts.keys import Key
from benchloom.normalise.shortcuts.origins import (
    Origin,
    attach_origins,
    owner_of,
    owners_of,
    read_origins,
)
from benchloom.records import Rejected
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import OpenPart, TableWriter, iter_records, table_parts
from benchloom.tables.row_keys import keys_of_part
from benchloom.withholding.files import read_withheld, withhold_files
from flows.stages.kept_rows import key_of, shard_key, write_keys
from flows.stages.listings import captured as captured_listings
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import parse as parse_shortcuts

STAGE = "normalise-shortcuts"
CODE = StageCode(stage=STAGE, module=__name__, tables=("shortcuts", "rejected"))


class Plan(msgspec.Struct, frozen=True):
    """What every shard of the stage needs to know: the parsed parts, a shard for each.

    `kept` are the rows of each part that stay, `left_out` those that no shard has, `origins` what
    captures tell by owner (see `origins`), `decides` is the digest of what decides a row besides.
    """

    parsed: Path
    parts: Sequence[Path]
    kept: Sequence[KeptOfPart]
    left_out: Sequence[Rejected]
    origins: Mapping[str, Origin]
    decides: str


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
    key = CODE.key(parts)
    folder = stage_path(root, "shortcuts", key)
    shards = by_part(choice.kept, len(found))
    kept = [kept_of(rows) for rows in shards]
    plan = Plan(parsed, found, kept, [*choice.left_out, *rejected], origins, CODE.key(()))
    return ShardedStage(
        STAGE,
        key,
        folder,
        len(found),
        partial(normalise_shard, plan, out=folder),
        mark.sources,
        mark.funnel(),
        keys=partial(_shard_keys, plan, shards),
        closing=partial(leave_out, plan, out=folder),
        balance=Balance(mark.rows["shortcuts"], ("shortcuts",)),
    )


def _shard_keys(plan: Plan, shards: Sequence[Sequence[Key]]) -> Iterator[str]:
    """What decides each shard."""
    for part, kept in zip(plan.parts, shards, strict=True):
        parsed = keys_of_part(part)
        owners = (owner_of(one.shortcut_id, one.source_digest, empty=one.empty) for one in kept)
        told = _told_keys((parsed[one.row] for one in kept), owners, plan)
        yield shard_key(plan.decides, told)


def normalise_shard(plan: Plan, number: int, out: Path) -> ShardMark:
    """Write the rows of a parsed part that are kept, as they lie there."""
    part = plan.parts[number]
    parsed = keys_of_part(part)
    places = [(row, row) for row in plan.kept[number].numbers()]
    keys: list[bytes] | None = []
    with (
        closing(OpenPart(part)) as opened,
        TableWriter("shortcuts", part_path(out, "shortcuts", number)) as writer,
    ):
        for group, picked in opened.by_group(places):
            rows = opened.rows(group).take(pa.array([row for row, _ in picked], pa.int64()))
            told = keys_of_rows(rows, [parsed[row] for _, row in picked], plan)
            keys = None if keys is None or told is None else keys + told
            writer.add_table(attach_origins(rows, plan.origins) if plan.origins else rows)
    write_keys(out, number, keys)
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


def keys_of_rows(rows: pa.Table, parsed: Sequence[bytes | None], plan: Plan) -> list[bytes] | None:
    """What rows are made of besides the keys that they were `parsed` with; None where one has none.

    `rows` are as they were parsed.
    """
    keys: list[bytes] = []
    for key in _told_keys(parsed, owners_of(rows), plan):
        if key is None:
            return None
        keys.append(key)
    return keys


def _told_keys(
    parsed: Iterable[bytes | None], owners: Iterable[str], plan: Plan
) -> Iterator[bytes | None]:
    """What rows are made of, by the keys that they were parsed with and by who owns them."""
    decides = plan.decides.encode()
    for key, owner in zip(parsed, owners, strict=True):
        told = msgspec.msgpack.encode(plan.origins.get(owner))
        yield None if key is None else key_of((decides, key, told))


def _write_rejected(plan: Plan, path: Path) -> int:
    rejected = [*iter_records(plan.parsed, "rejected", Rejected, 4096), *plan.left_out]
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    with TableWriter("rejected", path) as writer:
        for row in rejected:
            writer.add(row)
    return writer.rows
