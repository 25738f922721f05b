"""What services gave back, beside the merged plans: redacted before anybody sees it."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.redaction.known import redactor_of, row_groups
from benchloom.normalise.redaction.tables import redact_rows
from benchloom.tables import TableWriter, load_table

TABLE = "service_results"
FOUND = ("arguments", "rows.values")


def merge_results(
    results: Iterable[Path],
    opt_out: Iterable[str],
    path: Path,
    split_of: Callable[[str], str | None],
) -> int:
    """Write the results of all conversions to one file; the number of rows.

    `results` are the files of `service_results`. Each row is in the split of its plan. `opt_out`
    holds ids of dialogues that bring none. Street addresses stay, as in the plans; all else that
    redaction finds goes.
    """
    table = load_table(TABLE)
    apart = tuple(one for one in table.text_columns() if one not in FOUND)
    rules = msgspec.structs.replace(table.redaction, paths=(), apart=apart)
    searched = msgspec.structs.replace(table, redaction=rules)
    redactor = redactor_of({})
    silent = pa.array([entry.strip() for entry in opt_out], pa.string())
    with TableWriter(TABLE, path) as writer:
        for rows in row_groups(results):
            shown = rows.filter(pc.invert(pc.is_in(rows["dialogue_id"], value_set=silent)))
            splits = [split_of(plan) for plan in shown["path_id"].to_pylist()]
            index = shown.schema.get_field_index("split")
            field = shown.schema.field(index)
            shown = shown.set_column(index, field, pa.array(splits, field.type))
            writer.add_table(redact_rows(shown, searched, redactor))
    return writer.rows
