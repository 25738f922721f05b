"""National identity numbers whose written form is unmistakable: US, Chinese, Spanish, Italian."""

import re
from collections.abc import Iterable

from stdnum.cn import ric
from stdnum.es import dni
from stdnum.it import codicefiscale
from stdnum.us import ssn

from benchloom.normalise.redaction.finder import Span, TextFinder, matches, parts_near


def _is_chinese(number: str) -> bool:
    try:
        return ric.is_valid(number)
    except KeyError:  # raised for a province's county that stdnum does not know: it may be new
        return True


_FORMS = (
    (re.compile(r"(?<![\w.+-])\d{3}-\d{2}-\d{4}(?![\w-])"), ssn.is_valid),
    (re.compile(r"(?<!\w)[1-9]\d{16}[\dX](?!\w)"), _is_chinese),
    (re.compile(r"(?<!\w)\d{8}-?[A-HJ-NP-TV-Z](?!\w)"), dni.is_valid),
    (
        re.compile(r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)"),
        codicefiscale.is_valid,
    ),
)
_MARK = re.compile(r"\d\d(?:\d-\d\d-\d{4}|\d{15}|\d{6}-?[A-Z]|[A-Z]\d\d[A-Z]\d{3})")
_REACH = 32


def _find(text: str) -> Iterable[Span]:
    parts = parts_near(_MARK, text, _REACH)
    for pattern, is_valid in _FORMS:
        for match in matches(pattern, text, parts):
            if is_valid(match[0]):
                yield Span(match.start(), match.end(), "national_id")


FINDER = TextFinder(kinds=("national_id",), hint=_MARK, find=_find)
