"""Merge the service results of all plans and redact them before publication."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.redaction.tables import redact_rows, redactor_of, row_groups
from benchloom.storage.tables import load_table

TABLE = "service_results"
FOUND = ("arguments", "rows.values", "wordings.words")


def merged_results(
    results: Iterable[Path],
    opt_out: Iterable[str],
    split_of: Callable[[str], str | None],
) -> Iterator[pa.Table]:
    """Yield the service results in all conversions, one row group at a time.

    Each result gets the split of its plan. Street addresses stay, as in the plans; everything
    else that redaction finds is removed.

    Args:
        results: the files of `service_results`.
        opt_out: ids of dialogues whose results are left out.
        split_of: returns the split of a plan.
    """
    table = load_table(TABLE)
    apart = tuple(column for column in table.text_columns() if column not in FOUND)
    rules = msgspec.structs.replace(table.redaction, paths=(), apart=apart)
    searched = msgspec.structs.replace(table, redaction=rules)
    redactor = redactor_of({})
    silent = pa.array([entry.strip() for entry in opt_out], pa.string())
    for rows in row_groups(results):
        visible_rows = rows.filter(pc.invert(pc.is_in(rows["dialogue_id"], value_set=silent)))
        splits = [split_of(plan) for plan in visible_rows["path_id"].to_pylist()]
        index = visible_rows.schema.get_field_index("split")
        field = visible_rows.schema.field(index)
        visible_rows = visible_rows.set_column(index, field, pa.array(splits, field.type))
        yield redact_rows(visible_rows, searched, redactor)
