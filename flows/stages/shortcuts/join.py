"""Stage evaluation split: shortcuts joined with the definitions of their APIs.

Reads normalised shortcuts and a catalogue; writes `shortcuts` (their workflow with the summaries of
the APIs filled in), `definition_checks` and `apps`, and takes over `api_definitions` (with our own
definitions of control actions), `conflicts` and the `rejected` of both, so that its folder alone
makes a release. A shortcut that is left out
of the evaluation split keeps its row in `shortcuts` and gets one in `rejected` with the reason.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchloom.code_digests.stage_code import StageCode
from benchloom.garbage import fewer_collections
from benchloom.identity import tagged_digest
from benchloom.normalise.definitions.app_marks import read_marks
from benchloom.normalise.definitions.loading import load_index, shown_definitions
from benchloom.records import Rejected, Shortcut
from benchloom.stages import ShardMark, part_path, write_shard_mark
from benchloom.tables import (
    TableWriter,
    iter_records,
    open_parquet,
    records_of,
    table_parts,
    write_table,
)
from benchloom.workspace import StageMark
from flows.stages.kept_rows import KeptRows, kept_rows, keys_of_part
from flows.stages.searches import remembering_searches
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts.joining import STAGE, Joining

BATCH_ROWS = 256
CODE = StageCode(
    stage=STAGE,
    module=__name__,
    tables=(
        "api_definitions",
        "apps",
        "conflicts",
        "definition_checks",
        "rejected",
        "shortcuts",
    ),
)


def prepare(
    shortcuts: tuple[Path, StageMark],
    catalogue: tuple[Path, StageMark],
    marks: Path,
    root: Path,
) -> ShardedStage:
    """The stage over finished shortcuts and definitions, in a folder of `root`.

    `marks` is the operator's file of app marks; it need not exist.
    """
    read_marks(marks)
    marked = tagged_digest("file", marks.read_bytes()) if marks.is_file() else ""
    key = CODE.key([shortcuts[1].key, catalogue[1].key, marked])
    decides = CODE.key([catalogue[1].key, marked])
    folder = stage_path(root, "evaluation", key)
    sources = {
        file.source_uri: file for mark in (shortcuts[1], catalogue[1]) for file in mark.sources
    }
    return ShardedStage(
        STAGE,
        key,
        folder,
        1,
        partial(join_shard, shortcuts[0], catalogue[0], marks, out=folder, decides=decides),
        [sources[uri] for uri in sorted(sources)],
        (*catalogue[1].funnel(), *shortcuts[1].funnel()),
    )


def join_shard(  # noqa: PLR0917  what is joined, and where
    shortcuts: Path, catalogue: Path, marks: Path, number: int, out: Path, decides: str = ""
) -> ShardMark:
    """Join all shortcuts, some in memory at a time; the counts of apps need them all.

    `decides` is the digest of what decides a row besides the shortcut.
    """
    index = load_index(catalogue)
    marked = read_marks(marks)
    with (
        fewer_collections(),
        kept_rows(out, decides, number, ("shortcuts", "definition_checks")) as kept,
        remembering_searches(out.parent.parent, "evaluation"),
        TableWriter("shortcuts", part_path(out, "shortcuts", number)) as rows,
        TableWriter("definition_checks", part_path(out, "definition_checks", number)) as checks,
    ):
        joining = Joining(index, marked, rows, checks)
        for part in table_parts(shortcuts, "shortcuts"):
            _join_part(part, joining, kept)
    written = {
        "shortcuts": rows.rows,
        "definition_checks": checks.rows,
        "apps": write_table("apps", joining.counts.table(marked), part_path(out, "apps", number)),
        "rejected": _write_rejected(
            (shortcuts, catalogue), joining.left_out, part_path(out, "rejected", number)
        ),
    }
    written["conflicts"] = _copy(catalogue, "conflicts", part_path(out, "conflicts", number))
    written["api_definitions"] = write_table(
        "api_definitions",
        shown_definitions(catalogue, index),
        part_path(out, "api_definitions", number),
    )
    reasons = Counter(row.reason for row in joining.left_out)
    mark = ShardMark(number=number, objects=rows.rows, rows=written, reasons=dict(reasons))
    write_shard_mark(out, mark)
    return mark


def _join_part(part: Path, joining: Joining, kept: KeptRows) -> None:
    """Join the shortcuts of a file, those of an earlier run as they lie there."""
    keys = iter(keys_of_part(part))
    with open_parquet(part, "shortcuts") as file:
        for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
            for at in range(batch.num_rows):
                key = kept.key(next(keys))
                kept.note(key)
                found = kept.find(key)
                if found is None:
                    row = batch.slice(at, 1).to_pylist()
                    joining.make(*records_of(row, part, "shortcuts", Shortcut))
                else:
                    joining.take(*found)


def _copy(folder: Path, table: str, path: Path) -> int:
    """A table of another stage as one part, its row groups as they are."""
    with TableWriter(table, path) as writer:
        for part in table_parts(folder, table):
            with open_parquet(part) as file:
                for group in range(file.num_row_groups):
                    writer.add_table(file.read_row_group(group, use_threads=False))
    return writer.rows


def _write_rejected(folders: Sequence[Path], further: list[Rejected], path: Path) -> int:
    """The rejected rows of some stages and of this one, in the order of the table."""
    rows = [row for folder in folders for row in iter_records(folder, "rejected", Rejected, 4096)]
    rows += further
    rows.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    return write_table("rejected", rows, path)
