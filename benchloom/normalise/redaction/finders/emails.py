"""E-mail addresses."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finder import Span, TextFinder

_ADDRESS = re.compile(
    r"[^\W_][\w.+'-]{0,63}(?:@|%40)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}([^\W\d_]{2,24})(?![\w@])"
)
_FILE_ENDINGS = frozenset({"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "pdf", "heic"})
"""`icon@2x.png` is the name of a file."""


def _find(text: str) -> Iterable[Span]:
    for found in _ADDRESS.finditer(text):
        if found[1].lower() not in _FILE_ENDINGS:
            yield Span(found.start(), found.end(), "email")


FINDER = TextFinder(kinds=("email",), hint=re.compile(r"@|%40"), find=_find)
