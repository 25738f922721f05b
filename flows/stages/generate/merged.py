"""Stage gather: merge the generated folders of several steps, sorted as a release requires."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from benchloom.storage.tables import load_table, read_rows, table_parts
from flows.run.finished import FinishedStage, open_stage
from flows.run.output import Result, result_in
from prompts.ledger.log import read_completions

STAGE = "generated"
TABLES = ("queries", "verdicts", "rejected")


def gather_to_folder(
    folders: Sequence[Path], out: Path, completions: Path | None = None
) -> FinishedStage:
    """Write the sorted `queries`, `verdicts` and `rejected` of finished `generate` folders.

    The rows of the completion log, if there is one, become the table `completions`. The texts
    are held in memory for sorting, about 1 KiB for each text.

    Raises:
        RunError: a folder holds no finished stage.
    """
    generated = [open_stage(folder) for folder in folders]
    with result_in(out, STAGE, TABLES) as result:
        for table in TABLES:
            _gather(generated, table, result)
        if completions is not None:
            result.add_all("completions", read_completions(completions))
        for stage in generated:
            result.add_reasons(stage.reasons)
        result.objects = sum(stage.objects for stage in generated)
        result.decides = generated
    return result.finished


def _gather(generated: Sequence[FinishedStage], table: str, result: Result) -> None:
    """Write all rows of a table in its sort order."""
    definition = load_table(table)
    parts = [read_rows(part) for stage in generated for part in table_parts(stage.path, table)]
    if parts:
        order = [(name, "ascending") for name in definition.sort]
        rows = pa.concat_tables(parts).sort_by(order)
        for start in range(0, rows.num_rows, definition.row_group_rows):
            result.add_rows(table, rows.slice(start, definition.row_group_rows))
