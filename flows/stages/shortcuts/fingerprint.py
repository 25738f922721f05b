"""Stage fingerprint, shortcuts: the shingles of every row, for finding near duplicates."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchloom.balance import Balance
from benchloom.code_digests.stage_code import StageCode
from benchloom.normalise.shortcuts.fingerprints import TABLE, read_shingles, write_fingerprints
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import table_parts
from benchloom.tables.row_keys import keys_of_part
from flows.stages.kept_rows import shard_key
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import normalise as normalise_shortcuts

STAGE = "fingerprint-shortcuts"
CODE = StageCode(stage=STAGE, module=__name__, tables=())


def prepare(normalised: Path, root: Path) -> ShardedStage:
    """The stage over a complete normalised stage, in a folder of `root` named by its key.

    Raises:
        RunError: `normalised` is not a complete stage.
    """
    mark = complete_mark(normalised, normalise_shortcuts.STAGE)
    key = CODE.key([mark.key])
    folder = stage_path(root, "fingerprints", key)
    parts = table_parts(normalised, "shortcuts")
    work = partial(fingerprint_shard, parts, out=folder)
    keys = partial(_shard_keys, parts)
    balance = Balance(mark.rows["shortcuts"], (TABLE,))
    return ShardedStage(
        STAGE, key, folder, len(parts), work, mark.sources, keys=keys, balance=balance
    )


def _shard_keys(parts: Sequence[Path]) -> Iterator[str]:
    """What decides each shard."""
    decides = CODE.key(())
    for part in parts:
        yield shard_key(decides, keys_of_part(part))


def fingerprint_shard(parts: Sequence[Path], number: int, out: Path) -> ShardMark:
    """Write the fingerprints of the rows of one part."""
    rows = write_fingerprints(part_path(out, TABLE, number), read_shingles(parts[number]))
    mark = ShardMark(number=number, objects=rows, rows={TABLE: rows}, reasons={})
    write_shard_mark(out, mark)
    return mark
