"""Private keys in PEM and PuTTY form: whole blocks, or a cut-off block to its text's end."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PUTTY_END = re.compile(r"Private-MAC: [0-9a-f]+")


def _find(text: str) -> Iterable[Span]:
    position = 0
    while (begin := _BEGIN.search(text, position)) is not None:
        end_pattern = _PEM_END if begin[0].startswith("-") else _PUTTY_END
        end = end_pattern.search(text, begin.end())
        position = end.end() if end is not None else len(text)
        yield Span(begin.start(), position, "private_key")


FINDER = TextFinder(
    kinds=("private_key",),
    hint=re.compile(r"PRIVATE KEY|PuTTY-User-Key-File"),
    find=_find,
    whole=True,
)
