"""Detect redacted rows, whose derived values cannot be computed again."""

import msgspec

from benchloom.normalise.redaction.json_cells import REDACTED_NUMBER

_PLACEHOLDER = "[redacted:"


def is_redacted(*rows: object) -> bool:
    """Whether any of the records contains a placeholder of a text or of a number."""
    texts = (msgspec.json.encode(row).decode() for row in rows)
    return any(_PLACEHOLDER in text or REDACTED_NUMBER.search(text) for text in texts)
