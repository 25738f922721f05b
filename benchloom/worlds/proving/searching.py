"""Whether a recorded task says something that may not be published.

A text that redaction changed would prove nothing any more, so such a task is none. Texts that are
drawn are made up; the start of a world is what its dataset publishes.
"""

from collections.abc import Iterator

from benchloom.core.records import Task as TaskRow
from benchloom.normalise.redaction.cells import CellRedactor


def secrets_in(row: TaskRow, redactor: CellRedactor) -> list[str]:
    """The kinds of what redaction would replace in the words and values of a recorded task, sorted.

    Street addresses of published datasets are known to everybody, and ids look like tokens.
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
