"""Stage normalise, shortcuts: one row per distinct shortcut that may be published.

Every merged and every withheld row has its reason.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.normalise.shortcuts.duplicates import Choice, buckets, choose, read_keys
from benchloom.normalise.shortcuts.keys import Key
from benchloom.normalise.shortcuts.origins import Origin, attach_origins, owner_of, read_origins
from benchloom.records import Rejected
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import TableWriter, iter_records, table_parts, take_rows
from benchloom.withholding.files import read_withheld, withhold_files
from flows.stages.kept_rows import key_of, keys_of_part, write_keys
from flows.stages.listings import captured as captured_listings
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import parse as parse_shortcuts

STAGE = "normalise-shortcuts"
CODE = StageCode(stage=STAGE, module=__name__, tables=("shortcuts", "rejected"))


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
    return ShardedStage(
        STAGE,
        key,
        folder,
        max(1, len(buckets(choice.kept))),
        partial(normalise_shard, parsed, choice, origins=origins, out=folder),
        mark.sources,
        mark.funnel(),
    )


def normalise_shard(
    parsed: Path, choice: Choice, number: int, out: Path, origins: dict[str, Origin] | None = None
) -> ShardMark:
    """Write one bucket; the first one also writes all rejected rows, parsed and left out."""
    rows = 0
    reasons: dict[str, int] = {}
    slices = buckets(choice.kept)
    with TableWriter("shortcuts", part_path(out, "shortcuts", number)) as writer:
        if slices:
            parts = table_parts(parsed, "shortcuts")
            write_keys(out, number, keys_of_rows(parts, slices[number], origins or {}))
            table = take_rows(parts, slices[number])
            if origins:
                table = attach_origins(table, origins)
            step = writer.table.row_group_rows
            for start in range(0, table.num_rows, step):
                writer.add_table(table.slice(start, step))
        rows = writer.rows
    tables = {"shortcuts": writer.rows}
    if number == 0:
        tables["rejected"] = _write_rejected(parsed, choice, out)
        for row in choice.left_out:
            reasons[row.reason] = reasons.get(row.reason, 0) + 1
    left_out = len(choice.left_out) if number == 0 else 0
    mark = ShardMark(number=number, objects=rows + left_out, rows=tables, reasons=reasons)
    write_shard_mark(out, mark)
    return mark


def keys_of_rows(
    parts: Sequence[Path], chosen: Sequence[Key], origins: Mapping[str, Origin]
) -> list[bytes] | None:
    """What the chosen rows are made of; None where it is not told of one."""
    decides = CODE.key(()).encode()
    of_parts: dict[int, list[bytes | None]] = {}
    keys: list[bytes] = []
    for one in chosen:
        if one.part not in of_parts:
            of_parts[one.part] = keys_of_part(parts[one.part])
        key = of_parts[one.part][one.row]
        if key is None:
            return None
        owner = owner_of(one.shortcut_id, one.source_digest, empty=one.empty)
        keys.append(key_of((decides, key, msgspec.msgpack.encode(origins.get(owner)))))
    return keys


def _write_rejected(parsed: Path, choice: Choice, out: Path) -> int:
    rejected = [*iter_records(parsed, "rejected", Rejected, 4096), *choice.left_out]
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    with TableWriter("rejected", part_path(out, "rejected", 0)) as writer:
        for row in rejected:
            writer.add(row)
    return writer.rows
