"""Find secret access keys of AWS near a key id, because only the id has a typical form."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder

_ID = re.compile(r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])")
_SECRET = re.compile(r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])")
_NEAR = 400


def _find(text: str) -> Iterable[Span]:
    for match in _ID.finditer(text):
        start = max(0, match.start() - _NEAR)
        for secret in _SECRET.finditer(text, start, match.end() + _NEAR):
            value = secret[0]
            if any(map(str.isupper, value)) and any(map(str.islower, value)):
                yield Span(secret.start(), secret.end(), "aws_key")


FINDER = TextFinder(
    kinds=("aws_key",),
    hint=re.compile("A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA"),
    anchors=("a3t", "akia", "asia", "abia", "acca"),
    find=_find,
)
