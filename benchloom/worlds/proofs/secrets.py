"""Detect recorded tasks with secrets, which must not be published.

Redacting a text would invalidate the proof, so the task is rejected instead. Tasks from randomly
drawn requests need no check, because their texts are invented.
"""

from collections.abc import Iterator

import msgspec

from benchloom.core.records import Task as TaskRow
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.worlds.proofs.leaves import leaves

_SHORTEST = 6
"""The minimum length of the texts in the initial state that may also be in the task."""


def secrets_in(row: TaskRow, redactor: CellRedactor) -> list[str]:
    """Return the sorted kinds of secrets that redaction would replace in a recorded task.

    Three kinds of text are ignored: street addresses, because the published datasets contain them;
    generated tokens, because ids look like them; and texts in the initial state of the world,
    because the source dataset has published them.
    """
    if not row.source_uri:
        return []
    texts = [text for text in _words(row) if _kinds(text, redactor)]
    if not texts:
        return []
    public = _texts_of(row.start)
    return sorted({kind for text in texts for kind in _kinds(_without(text, public), redactor)})


def _kinds(text: str, redactor: CellRedactor) -> set[str]:
    return set(redactor.public(text)[1]) - {"generated_token"}


def _texts_of(start: str) -> list[str]:
    values = (str(leaf) for _, leaf in leaves(msgspec.json.decode(start)))
    return sorted({value for value in values if len(value) >= _SHORTEST}, key=len, reverse=True)


def _without(text: str, public: list[str]) -> str:
    for value in public:
        if value in text:
            text = text.replace(value, " ")
    return text


def _words(row: TaskRow) -> Iterator[str]:
    yield from row.turns
    yield row.answer or ""
    for call in row.calls:
        yield call.arguments
        yield from (quote.words for quote in call.said)
