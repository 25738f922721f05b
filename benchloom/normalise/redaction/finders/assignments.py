"""Secrets assigned to a telling name inside a text: JSON, code, notes, forms."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finder import Span, TextFinder
from benchloom.normalise.redaction.finders._names import SECRET_HINT, secret_kind
from benchloom.normalise.redaction.placeholders import is_stand_in

_ASSIGNED = re.compile(
    rf"(?:{SECRET_HINT.pattern.removeprefix('(?i)')})[\w -]{{0,16}}[\"'”]?\s{{0,3}}"
    r"(?:[:=\uff1a]|=>)\s{0,3}",
    re.IGNORECASE,
)
_NAME = re.compile(r"[\w-]*(?:[\w-] ?[\w-]*)?[\"'”]?\s{0,3}(?:[:=\uff1a]|=>)\s{0,3}$")
_LONGEST_NAME = 48
_QUOTED = re.compile(r"[\"'“]([^\"'”\n\ufffc\[{<$]{3,2000})[\"'”]")
_BARE = re.compile(r"([^\s\"'\ufffc\[{<$(,;&]{4,2000})")
_CODE = re.compile(
    r"[\w.]+\(|(?:await|new|return|function|document|window|this|self|args|input)\b|https?:|//"
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)+;?$"
)


def _find(text: str) -> Iterable[Span]:
    for assigned in _ASSIGNED.finditer(text):
        before = text[max(0, assigned.start() - _LONGEST_NAME) : assigned.end()]
        name = _NAME.search(before)
        kind = secret_kind(name[0].rstrip(" :=\uff1a>\"'”")) if name is not None else None
        if kind is None:
            continue
        quoted = _QUOTED.match(text, assigned.end())
        found = quoted or _BARE.match(text, assigned.end())
        if found is None or is_stand_in(found[1]):
            continue
        if quoted is not None or _is_value(found[1], kind):
            yield Span(found.start(1), found.end(1), kind)


def _is_value(value: str, kind: str) -> bool:
    """Whether an unquoted text is a secret rather than prose or code."""
    if _CODE.match(value):
        return False
    return any(c.isdigit() for c in value) or (kind == "password" and not value.isalpha())


FINDER = TextFinder(
    kinds=("password", "secret", "token"), hint=SECRET_HINT, find=_find, in_rendered=False
)
