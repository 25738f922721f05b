"""Find passwords of wireless networks, in QR codes and in commands that join a network."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder
from benchloom.normalise.redaction.placeholders import is_stand_in

_WORD = r"(?:\\{0,3}\"[^\"\n\ufffc]{1,64}\"|'[^'\n\ufffc]{1,64}'|[^\s\"'\ufffc]{1,64})"
_FORMS = (
    re.compile(
        r"(?i)WIFI:(?:[TSHRIE]:(?:\\.|[^;\n\\\ufffc]){0,100};){0,5}P:((?:\\.|[^;\n\\\ufffc]){4,128})"
    ),
    re.compile(
        r"(?i)-setairportnetwork[ \t]{1,4}\S{1,20}[ \t]{1,4}"
        rf"{_WORD}[ \t]{{1,4}}(\\{{0,3}}[\"']?[^\s\"'\\\ufffc]{{1,128}})"
    ),
    re.compile(
        r"(?i)\b(?:device wifi connect|wifi connect)[ \t]{1,4}"
        rf"{_WORD}[ \t]{{1,4}}password[ \t]{{1,4}}([^\s\ufffc]{{4,128}})"
    ),
    re.compile(
        r"(?i)-(?:setairportpower|addpreferredwirelessnetworkatindex)[ \t]{1,4}\S{1,20}[ \t]{1,4}"
        rf"{_WORD}[ \t]{{1,4}}\S{{1,9}}[ \t]{{1,4}}\S{{1,20}}[ \t]{{1,4}}([^\s\ufffc]{{4,128}})"
    ),
    re.compile(r"(?i)\bwpa2?-psk[ \t]{1,4}(?=\S{0,62}\d)([^\s\ufffc]{8,63})"),
    re.compile(rf"(?i)\bwpa_passphrase[ \t]{{1,4}}{_WORD}[ \t]{{1,4}}([^\s\ufffc]{{8,64}})"),
)
_MARKS = ("wifi:", "airport", "wirelessnetwork", "wifi connect", "wpa_passphrase", "-psk")


def _find(text: str) -> Iterable[Span]:
    for form in _FORMS:
        for match in form.finditer(text):
            value = match[1].strip("\"'\\")
            if value and not is_stand_in(value):
                start = match.start(1) + match[1].index(value)
                yield Span(start, start + len(value), "password")


FINDER = TextFinder(
    kinds=("password",),
    hint=re.compile("|".join(_MARKS)),
    folded=True,
    anchors=_MARKS,
    find=_find,
)
