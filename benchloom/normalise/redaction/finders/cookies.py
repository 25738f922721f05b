"""Find the values of cookies in header lines, in commands, and in JSON inside a text."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder, folded
from benchloom.normalise.redaction.placeholders import is_stand_in

_COOKIE = re.compile(
    r"(?:cookies?[\"']?(?:\\{1,3}[\"'])?\s{0,3}[:=]\s{0,3}|\s(?:-b|--cookie)[ =])(?:\\{0,3}[\"'])?"
    r"(?=[\w.%-]{1,64}=)([^\"'\\\n\r\ufffc<>{}\[\]]{4,8000})"
)
"""Matches the value of a cookie in a text that was converted to lower case."""
_PAIR = re.compile(r"([\w.%-]{1,64})=([^;\s,]{4,4000})")


def _find(text: str) -> Iterable[Span]:
    for match in _COOKIE.finditer(folded(text)):
        cookie_text = text[match.start(1) : match.end(1)]
        if any(not is_stand_in(pair[2]) for pair in _PAIR.finditer(cookie_text)):
            yield Span(match.start(1), match.start(1) + len(cookie_text.rstrip()), "cookie")


FINDER = TextFinder(
    kinds=("cookie",),
    hint=re.compile(r"cookies?[\"'\\]{0,5}\s{0,3}[:=]|\s(?:-b|--cookie)[ =]"),
    folded=True,
    anchors=("cookie", "-b "),
    find=_find,
    in_rendered=False,
)
