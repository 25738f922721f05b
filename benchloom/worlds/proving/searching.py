"""Detect recorded tasks that contain secrets, which must not be published.

Redacting a text would invalidate the proof, so the task is rejected instead. Texts that are
drawn at random are invented, and the start of a world is already published by its dataset.
"""

from collections.abc import Iterator

from benchloom.core.records import Task as TaskRow
from benchloom.normalise.redaction.cells import CellRedactor


def secrets_in(row: TaskRow, redactor: CellRedactor) -> list[str]:
    """Return the sorted kinds of secrets that redaction would replace in a recorded task.

    Street addresses are ignored, as those of published datasets are already public. Generated
    tokens are ignored too, as ids look like them.
    """
    if not row.source_uri:
        return []
    kinds = {kind for text in _words(row) for kind in redactor.public(text)[1]}
    return sorted(kinds - {"generated_token"})


def _words(row: TaskRow) -> Iterator[str]:
    yield from row.turns
    yield row.answer or ""
    for call in row.calls:
        yield call.arguments
        yield from (quote.words for quote in call.said)
