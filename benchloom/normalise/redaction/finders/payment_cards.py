"""Payment card numbers: a brand's prefix and length, and the Luhn check digit."""

import re
from collections.abc import Iterable

from stdnum import luhn

from benchloom.normalise.redaction.finder import Span, TextFinder, matches, parts_near

_CANDIDATE = re.compile(r"(?<![\w.+/=-])\d{4}[ -]?\d{4,6}[ -]?\d{4,5}(?:[ -]?\d{1,4})?(?![\w./-])")
_DIGITS = re.compile(r"\d{4}[ -]?\d{4,6}[ -]?\d{4}")  # What every number holds.
_REACH = 32
_BRANDS = re.compile(
    r"4\d{12}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|"
    r"6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14}"
)


def _find(text: str) -> Iterable[Span]:
    for match in matches(_CANDIDATE, text, parts_near(_DIGITS, text, _REACH)):
        digits = match[0].replace(" ", "").replace("-", "")
        if _BRANDS.fullmatch(digits) and luhn.is_valid(digits):
            yield Span(match.start(), match.end(), "payment_card")


FINDER = TextFinder(kinds=("payment_card",), hint=_DIGITS, find=_find)
