"""Find credentials after an authorisation scheme, in a header line or on a command line."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder
from benchloom.normalise.redaction.placeholders import is_login_stand_in, is_stand_in

_SCHEME = re.compile(
    r"(?i)\b(?:bearer|basic|oauth|digest)(?:[ :]|%20)\s{0,4}([A-Za-z0-9._~+/=:-]{8,4000})"
)
_HEADER = re.compile(
    r"(?i)\b(?:authorization|x-api-key|x-auth-token|api-key)(?:\\{0,3}[\"'])?\s{0,3}[:=]\s{0,3}(?:\\{0,3}[\"'])?"
    r"(?:(?:bearer|basic|token|oauth|key)\s{1,3})?([^\s\"'\ufffc\[{<$\\]{6,4000})"
)
_COMMAND = re.compile(
    r"(?<!\S)(?:-u|--user|--proxy-user)[ =][\"']?([^\s:\"'\ufffc]{1,80}:[^\s\"'\ufffc]{1,200})"
)


def _find(text: str) -> Iterable[Span]:
    for pattern in (_SCHEME, _HEADER, _COMMAND):
        for match in pattern.finditer(text):
            value = match[1]
            if pattern is not _COMMAND and not _is_generated(value):
                continue
            if not is_stand_in(value) and not is_login_stand_in(value):
                yield Span(match.start(1), match.end(1), "auth_header")


def _is_generated(value: str) -> bool:
    return any(character.isdigit() or character.isupper() for character in value[1:])


FINDER = TextFinder(
    kinds=("auth_header",),
    hint=re.compile("bearer|basic|oauth|digest|authorization|api-key|auth-token|-u|user"),
    folded=True,
    find=_find,
    in_rendered=False,
)
