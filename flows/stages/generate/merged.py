"""Stage gather: merge the generated folders of several steps, sorted as a release requires."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from benchloom.storage.inputs import nothing_in
from benchloom.storage.tables import load_table, read_rows, table_parts
from benchloom.storage.workspace import StageMark, valid_mark
from flows.run.output import Result, result_in
from prompts.ledger.log import read_completions

STAGE = "generated"
TABLES = ("queries", "verdicts", "rejected")


def gather_to_folder(
    folders: Sequence[Path], out: Path, completions: Path | None = None
) -> StageMark:
    """Write the sorted `queries`, `verdicts` and `rejected` of finished `generate` folders.

    The rows of the completion log, if there is one, become the table `completions`. The texts
    are held in memory for sorting, about 1 KiB for each text.

    Raises:
        RunError: a folder holds no finished stage.
    """
    marks = []
    for folder in folders:
        mark = valid_mark(folder)
        if mark is None:
            raise nothing_in(folder, f"{folder} holds no finished stage; run generate to its end")
        marks.append(mark)
    with result_in(out, STAGE, TABLES) as result:
        for table in TABLES:
            _gather(folders, table, result)
        if completions is not None:
            result.add_all("completions", read_completions(completions))
        for mark in marks:
            result.add_reasons(mark.reasons)
        result.objects = sum(mark.objects for mark in marks)
        result.decides = [mark.key for mark in marks]
    return result.mark


def _gather(folders: Sequence[Path], table: str, result: Result) -> None:
    """Write all rows of a table in its sort order."""
    definition = load_table(table)
    parts = [read_rows(part) for folder in folders for part in table_parts(folder, table)]
    if parts:
        order = [(name, "ascending") for name in definition.sort]
        rows = pa.concat_tables(parts).sort_by(order)
        for start in range(0, rows.num_rows, definition.row_group_rows):
            result.add_rows(table, rows.slice(start, definition.row_group_rows))
