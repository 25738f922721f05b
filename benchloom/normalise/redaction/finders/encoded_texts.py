"""Find Base64 data whose decoded text is readable and contains a secret or personal value."""

import base64
import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of

_RUN = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{22,6000}={0,2}")
LOGIN = re.compile(r"[^\s:/={}\"]{1,100}:(?=[^\s:]*\d)[^\s:/{}\"]{4,100}")
"""Matches a user name and a password. A password without a digit looks like a style or a
setting."""
_URL_SAFE = str.maketrans("-_", "+/")


def decoded_text(run: str) -> str | None:
    """Decode a Base64 text. Returns None if the decoded text is not readable."""
    plain = run.rstrip("=").translate(_URL_SAFE)
    if len(plain) % 4 == 1:
        return None
    # Most runs are words and ids, whose first bytes are no text. Their end may cut a letter.
    head = base64.b64decode(plain[: min(len(plain), 16) // 4 * 4])
    if not head.isascii() and len(head.decode("utf-8", "ignore").encode()) < len(head) - 3:
        return None
    try:
        text = base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if all(c.isprintable() or c in "\n\r\t" for c in text) else None


def _searchable_text(run: str) -> str | None:
    text = decoded_text(run)
    is_login = text is not None and LOGIN.fullmatch(text) is not None
    return f"://{text}@host" if is_login else text


FINDER = TextFinder(
    kinds=("encoded_secret",),
    hint=re.compile(r"[A-Za-z0-9+/_]{22}"),
    find=spans_of("encoded_secret", _RUN),
    decoded=_searchable_text,
    in_rendered=False,
)
