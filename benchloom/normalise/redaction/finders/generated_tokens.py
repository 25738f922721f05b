"""A text that is nothing but one generated token, of no known vendor.

Prose, names, paths, identifiers and UUIDs are not: the token is one run of 28 to 200 characters
that mixes cases with digits, or of hexadecimal digits.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from math import log2

from benchloom.normalise.redaction.finder import UUID_FORM, Span, TextFinder

_TOKEN = re.compile(r"\s*([A-Za-z0-9_-]{28,200}|[A-Za-z0-9+/]{28,200}={0,2})\s*")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_LOGIN = re.compile(r"[^\s:/]{1,100}:[^\s/]{1,100}")
_FILE_STARTS = ("iVBORw0K", "/9j/", "R0lGOD", "JVBERi0", "UEsDB", "H4sI", "AAAA", "PHN2Zy")
"""Base64 of the first bytes of pictures, documents and archives."""
_HEX_LENGTHS = frozenset({32, 40, 48, 64, 96, 128})


def _find(text: str) -> Iterable[Span]:
    found = _TOKEN.fullmatch(text)
    if found is not None and _is_generated(found[1]):
        yield Span(found.start(1), found.end(1), "generated_token")


def _is_generated(value: str) -> bool:
    if UUID_FORM.fullmatch(value) or value.isdigit() or value.startswith(_FILE_STARTS):
        return False
    if _is_encoded_text(value):
        return False
    if _HEX.fullmatch(value):
        return len(value) in _HEX_LENGTHS and _entropy(value) > 3.0
    if min(sum(map(str.isupper, value)), sum(map(str.islower, value))) < 3:
        return False
    if not any(map(str.isdigit, value)):
        return False
    return _entropy(value) > 4.2 and _changes(value) > len(value) / 3


def _is_encoded_text(value: str) -> bool:
    """Whether it is base64 of readable text; a login in base64 is not."""
    try:
        text = base64.b64decode(value, validate=True).decode("utf-8")
    except ValueError:
        return False
    return text.isprintable() and _LOGIN.fullmatch(text) is None


def _entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())


def _changes(value: str) -> int:
    """How often upper case, lower case and digits follow one another: words change seldom."""
    kinds = [(c.isupper(), c.isdigit()) for c in value if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds))


FINDER = TextFinder(
    kinds=("generated_token",),
    hint=re.compile(r"[A-Za-z0-9_+/-]{28}(?<![0-9A-F-]{28})|[0-9A-F]{28}"),
    find=_find,
    in_rendered=False,
)
