"""Stage fingerprint, shortcuts: the shingles of every row, for finding near duplicates."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.normalise.shortcuts.fingerprints import TABLE, read_shingles, write_fingerprints
from benchloom.stages import ShardMark, complete_mark, part_path, plan_shards, write_shard_mark
from benchloom.tables import open_parquet, table_parts
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import normalise as normalise_shortcuts

STAGE = "fingerprint-shortcuts"
CODE = StageCode(stage=STAGE, module=__name__, tables=())
SHARD_BYTES = 64 * 1024 * 1024


class RowGroups(msgspec.Struct, frozen=True):
    """Some row groups of one file."""

    part: Path
    groups: tuple[int, ...]


def prepare(normalised: Path, root: Path) -> ShardedStage:
    """The stage over a complete normalised stage, in a folder of `root` named by its key.

    Raises:
        RunError: `normalised` is not a complete stage.
    """
    mark = complete_mark(normalised, normalise_shortcuts.STAGE)
    key = CODE.key([mark.key])
    folder = stage_path(root, "fingerprints", key)
    shards = plan_row_groups(table_parts(normalised, "shortcuts"), SHARD_BYTES)
    work = partial(fingerprint_shard, shards, out=folder)
    return ShardedStage(STAGE, key, folder, max(1, len(shards)), work, mark.sources)


def plan_row_groups(parts: Sequence[Path], shard_bytes: int) -> list[tuple[RowGroups, ...]]:
    """Consecutive row groups of about `shard_bytes` uncompressed bytes each, by the files alone."""
    units: list[tuple[Path, int]] = []
    sizes: list[int] = []
    for part in parts:
        with open_parquet(part) as file:
            metadata = file.metadata
        for group in range(metadata.num_row_groups):
            units.append((part, group))
            sizes.append(metadata.row_group(group).total_byte_size)
    shards: list[tuple[RowGroups, ...]] = []
    for start, stop in plan_shards(sizes, shard_bytes):
        chosen: dict[Path, list[int]] = {}
        for part, group in units[start:stop]:
            chosen.setdefault(part, []).append(group)
        shards.append(tuple(RowGroups(part, tuple(groups)) for part, groups in chosen.items()))
    return shards


def fingerprint_shard(shards: Sequence[tuple[RowGroups, ...]], number: int, out: Path) -> ShardMark:
    """Write the fingerprints of one shard."""
    chosen = shards[number] if number < len(shards) else ()
    found = (row for entry in chosen for row in read_shingles(entry.part, entry.groups))
    rows = write_fingerprints(part_path(out, TABLE, number), found)
    mark = ShardMark(number=number, objects=rows, rows={TABLE: rows}, reasons={})
    write_shard_mark(out, mark)
    return mark
