"""Find user names and passwords before the host of a URL."""

import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of
from benchloom.normalise.redaction.placeholders import is_login_stand_in

_LOGIN = re.compile(
    r"://([^\s/?#@:\ufffc\"'\[]{0,100}:[^\s/?#@\ufffc\"'\[]{1,200})@(?=[\w\[\ufffc$<{.-])"
)


FINDER = TextFinder(
    kinds=("url_login",),
    hint=re.compile(r"://[^/\s]{1,300}@"),
    anchors=("://",),
    find=spans_of("url_login", _LOGIN, is_value=lambda login: not is_login_stand_in(login)),
)
