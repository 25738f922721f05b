"""Stage gather: generated folders of several steps as one, in the order a release demands."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from benchloom.errors import RunError
from benchloom.memory.code import stage_key
from benchloom.tables import TableWriter, load_table, read_rows, table_parts, write_table
from benchloom.workspace import StageMark, sound_mark, stage_folder, write_mark
from prompts.ledger.log import read_completions

STAGE = "generated"
TABLES = ("queries", "verdicts", "rejected")


def gather_to_folder(
    folders: Sequence[Path], out: Path, completions: Path | None = None
) -> StageMark:
    """Write the sorted `queries`, `verdicts` and `rejected` of finished `generate` folders.

    With a completion log its rows become `completions`. The texts are held in memory to be sorted,
    about 1 KiB each.

    Raises:
        RunError: a folder holds no finished stage.
    """
    marks = []
    for folder in folders:
        mark = sound_mark(folder)
        if mark is None:
            raise RunError(f"{folder} holds no finished stage; run generate to its end")
        marks.append(mark)
    with stage_folder(out, STAGE) as target:
        rows = {table: _gather(folders, table, target) for table in TABLES}
        if completions is not None:
            written = write_table(
                "completions", read_completions(completions), target / "completions.parquet"
            )
            rows["completions"] = written
        gathered = StageMark(
            stage=STAGE,
            key=stage_key(STAGE, (mark.key for mark in marks)),
            objects=sum(mark.objects for mark in marks),
            rows=rows,
            reasons=_summed([mark.reasons for mark in marks]),
        )
        write_mark(target, gathered)
    return gathered


def _gather(folders: Sequence[Path], table: str, out: Path) -> int:
    """All rows of a table in its sort order; the number of rows."""
    definition = load_table(table)
    parts = [read_rows(part) for folder in folders for part in table_parts(folder, table)]
    with TableWriter(definition, out / f"{table}.parquet") as writer:
        if parts:
            order = [(name, "ascending") for name in definition.sort]
            rows = pa.concat_tables(parts).sort_by(order)
            for start in range(0, rows.num_rows, definition.row_group_rows):
                writer.add_table(rows.slice(start, definition.row_group_rows))
    return writer.rows


def _summed(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    names = sorted({name for count in counts for name in count})
    return {name: sum(count.get(name, 0) for count in counts) for name in names}
