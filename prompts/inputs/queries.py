"""Generated texts as the input of later steps."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from prompts.reading import iter_columns


class QueryRow(msgspec.Struct, frozen=True, gc=False):
    """The columns of `queries` that later steps read."""

    query_id: str
    target_id: str
    kind: str
    text: str
    kept: bool = True
    style: str | None = None


def read_queries(folder: Path, *, every_text: bool = False) -> Iterator[QueryRow | Rejected]:
    """Yield the generated texts; those that rules dropped as rejected rows, unless `every_text`."""
    for row in iter_columns(folder, "queries", QueryRow):
        yield row if row.kept or every_text else dropped(row)


def dropped(row: QueryRow) -> Rejected:
    """Return the row of a text that no model reads, since rules dropped it."""
    message = "rules dropped the text, so no model reads it"
    return Rejected("generate", row.query_id, "dropped_by_rules", message, row.query_id)
