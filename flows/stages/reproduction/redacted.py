"""Whether redaction changed a row: what was derived from it before cannot be derived again."""

import msgspec

_PLACEHOLDER = b"[redacted:"


def is_redacted(*rows: object) -> bool:
    """Whether a placeholder is in any of some records."""
    return any(_PLACEHOLDER in msgspec.json.encode(row) for row in rows)
