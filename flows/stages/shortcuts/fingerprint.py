"""Stage fingerprint, shortcuts: the shingles of every row, for finding near duplicates."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchloom.balance import Balance
from benchloom.memory.code import stage_key
from benchloom.normalise.shortcuts.fingerprints import TABLE, read_shingles, write_fingerprints
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import table_parts
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import normalise as normalise_shortcuts

STAGE = "fingerprint-shortcuts"


def prepare(normalised: Path, root: Path) -> ShardedStage:
    """The stage over a complete normalised stage, in a folder of `root` named by its key.

    Raises:
        RunError: `normalised` is not a complete stage.
    """
    mark = complete_mark(normalised, normalise_shortcuts.STAGE)
    key = stage_key(STAGE, [mark.key])
    folder = stage_path(root, "fingerprints", key)
    parts = table_parts(normalised, "shortcuts")
    work = partial(fingerprint_shard, parts, out=folder)
    balance = Balance(mark.rows["shortcuts"], (TABLE,))
    return ShardedStage(STAGE, key, folder, len(parts), work, mark.sources, balance=balance)


def fingerprint_shard(parts: Sequence[Path], number: int, out: Path) -> ShardMark:
    """Write the fingerprints of the rows of one part."""
    rows = write_fingerprints(part_path(out, TABLE, number), read_shingles(parts[number]))
    mark = ShardMark(number=number, objects=rows, rows={TABLE: rows}, reasons={})
    write_shard_mark(out, mark)
    return mark
