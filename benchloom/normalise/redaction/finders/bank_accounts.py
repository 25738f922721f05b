"""International bank account numbers with valid check digits."""

import re
from collections.abc import Iterable

from stdnum import iban

from benchloom.normalise.redaction.finder import Span, TextFinder, matches, parts_near

_CANDIDATE = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_MARK = re.compile(r"[A-Z]{2}\d{2} ?[A-Z0-9]{4}")
_REACH = 64


def _find(text: str) -> Iterable[Span]:
    for match in matches(_CANDIDATE, text, parts_near(_MARK, text, _REACH)):
        if iban.is_valid(match[0], check_country=False):
            yield Span(match.start(), match.end(), "bank_account")


FINDER = TextFinder(kinds=("bank_account",), hint=_MARK, find=_find)
