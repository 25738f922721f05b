"""User name and password in front of the host of a URL."""

import re

from benchloom.normalise.redaction.finder import TextFinder, spans_of

FINDER = TextFinder(
    kinds=("url_login",),
    hint=re.compile(r"://[^/\s]+@"),
    find=spans_of(
        re.compile(r"://([^\s/?#@:\ufffc\"'\[]{0,100}:[^\s/?#@\ufffc\"'\[]{1,200})@"), "url_login"
    ),
)
