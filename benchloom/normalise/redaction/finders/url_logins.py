"""User name and password in front of the host of a URL."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder
from benchloom.normalise.redaction.placeholders import is_login_stand_in

_LOGIN = re.compile(
    r"://([^\s/?#@:\ufffc\"'\[]{0,100}:[^\s/?#@\ufffc\"'\[]{1,200})@(?=[\w\[\ufffc$<{.-])"
)


def _find(text: str) -> Iterable[Span]:
    for match in _LOGIN.finditer(text):
        if not is_login_stand_in(match[1]):
            yield Span(match.start(1), match.end(1), "url_login")


FINDER = TextFinder(
    kinds=("url_login",), hint=re.compile(r"://[^/\s]{1,300}@"), anchors=("://",), find=_find
)
