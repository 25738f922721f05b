"""National identity numbers whose written form is unmistakable: US, Chinese, Spanish, Italian."""

import re
from collections.abc import Iterable

from stdnum.cn import ric
from stdnum.es import dni
from stdnum.it import codicefiscale
from stdnum.us import ssn

from benchloom.normalise.redaction.finder import Span, TextFinder

_FORMS = (
    (re.compile(r"(?<![\w.+-])\d{3}-\d{2}-\d{4}(?![\w-])"), ssn.is_valid),
    (re.compile(r"(?<!\w)[1-9]\d{16}[\dX](?!\w)"), ric.is_valid),
    (re.compile(r"(?<!\w)\d{8}-?[A-HJ-NP-TV-Z](?!\w)"), dni.is_valid),
    (
        re.compile(r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)"),
        codicefiscale.is_valid,
    ),
)


def _find(text: str) -> Iterable[Span]:
    for pattern, is_valid in _FORMS:
        for found in pattern.finditer(text):
            if is_valid(found[0]):
                yield Span(found.start(), found.end(), "national_id")


FINDER = TextFinder(
    kinds=("national_id",),
    hint=re.compile(r"\d\d(?:\d-\d\d-\d{4}|\d{15}|\d{6}-?[A-Z]|[A-Z]\d\d[A-Z]\d{3})"),
    find=_find,
)
