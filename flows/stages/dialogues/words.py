"""Merge the utterances and results of all plans and redact them before publication."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.normalise.redaction.tables import redact_rows, redactor_of, row_groups
from benchloom.storage.tables import TableDefinition, load_table
from benchloom.storage.tables.definition import RedactionRules

TABLE = "dialogues"
WORDS = ("utterances.text", "results.output", "results.input", "results.exception")


def merged_words(
    plans: Sequence[Path],
    words: Iterable[Path],
    opt_out: Iterable[str],
    split_of: Callable[[str], str | None],
) -> Iterator[pa.Table]:
    """Yield the utterances and results of all conversions, one row group at a time.

    Addresses that a dataset's plans contain stay, as in the plans; everything else that
    redaction finds is removed. A conversion that is older than this table contributes no rows.

    Args:
        plans: the files of `planning_paths`.
        words: the files of `dialogues`.
        opt_out: ids of dialogues whose words and results are cleared in their rows.
        split_of: returns the split of a plan, which all dialogues of the plan get, or None if
            the plan is unknown.
    """
    redactor = redactor_of({"planning_paths": list(plans)})
    table = _words_only(load_table(TABLE))
    silent = frozenset(entry.strip() for entry in opt_out)
    for rows in row_groups(words):
        yield redact_rows(_silenced(_with_splits(rows, split_of), silent), table, redactor)


def _words_only(table: TableDefinition) -> TableDefinition:
    """Limit redaction of the table to utterances and results; ids and paths are join keys."""
    apart = tuple(path for path in table.text_columns() if path not in WORDS)
    return msgspec.structs.replace(table, redaction=RedactionRules(apart=apart))


def _with_splits(rows: pa.Table, split_of: Callable[[str], str | None]) -> pa.Table:
    """Put each row in the split of its plan; a row without a plan keeps its split."""
    pairs = zip(rows.column("path_id").to_pylist(), rows.column("split").to_pylist(), strict=True)
    splits = [split_of(path_id) or split for path_id, split in pairs]
    index = rows.schema.get_field_index("split")
    field = rows.schema.field(index)
    return rows.set_column(index, field, pa.array(splits, field.type))


def _silenced(rows: pa.Table, silent: frozenset[str]) -> pa.Table:
    """Clear utterances and results in the rows of dialogues that opted out."""
    gone = [dialogue_id in silent for dialogue_id in rows.column("dialogue_id").to_pylist()]
    if not any(gone):
        return rows
    for name, nothing in (("utterances", []), ("results", []), ("is_whole", False)):
        index = rows.schema.get_field_index(name)
        field = rows.schema.field(index)
        values = zip(rows.column(name).to_pylist(), gone, strict=True)
        new_values = [nothing if drop else value for value, drop in values]
        rows = rows.set_column(index, field, pa.array(new_values, field.type))
    return rows
