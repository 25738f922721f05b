"""Generated texts as the input of later steps."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.reading import iter_columns


class QueryRow(msgspec.Struct, frozen=True, gc=False):
    """The columns of `queries` that later steps read."""

    query_id: str
    target_id: str
    kind: str
    text: str
    style: str | None = None


def read_queries(folder: Path) -> Iterator[QueryRow]:
    """Yield every generated text."""
    return iter_columns(folder, "queries", QueryRow)


def texts_by_target(folder: Path, kind: str) -> dict[str, str]:
    """Return the text of one kind for each target, by target id."""
    return {row.target_id: row.text for row in read_queries(folder) if row.kind == kind}
