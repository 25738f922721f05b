"""Find numbers with check digits: bank accounts, payment cards, national identity numbers.

A national number counts only if its written form is unmistakable: those of the USA, China, Spain,
Italy, Brazil, Switzerland and the UK.
"""

import re
from collections.abc import Callable, Iterable

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.ch import ssn as ahv
from stdnum.cn import ric
from stdnum.es import dni
from stdnum.it import codicefiscale
from stdnum.us import ssn

from benchloom.normalise.redaction.finders import Span, TextFinder, matches, parts_near

_REACH = 64
_BRANDS = re.compile(
    r"4\d{12}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|"
    r"6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14}"
)


_EXAMPLES = frozenset({"4012888888881881", "5555555555554444", "5105105105105100",
                       "4000056655665556",
                       "2223003122003222", "378282246310005", "371449635398431", "6011000990139424",
                       "3056930009020004", "3566002020360505", "4000002500003155"})  # fmt: skip
"""Numbers of test cards, which manuals of payment services contain. They are not replaced."""


def _is_account(number: str) -> bool:
    return iban.is_valid(number, check_country=False)


def _is_card(number: str) -> bool:
    digits = number.replace(" ", "").replace("-", "")
    is_example = digits in _EXAMPLES or len(set(digits)) < 3
    return _BRANDS.fullmatch(digits) is not None and luhn.is_valid(digits) and not is_example


def _is_chinese(number: str) -> bool:
    try:
        return ric.is_valid(number)
    except KeyError:  # raised for a province's county that stdnum does not know: it may be new
        return True


_ACCOUNT_MARK = re.compile(r"[A-Z]{2}\d{2} ?[A-Z0-9]{4}")
_CARD_MARK = re.compile(r"\d{4}[ -]?\d{4,6}[ -]?\d{4}")
_PERSON_MARK = re.compile(
    r"\d\d(?:\d-\d\d-\d{4}|\d{15}|\d{6}-?[A-Z]|[A-Z]\d\d[A-Z]\d{3}| \d\d \d\d [A-D])"
)
_DOTTED_MARK = re.compile(r"\d{3}\.\d{3}\.\d{3}-|756\.\d{4}\.")
_MARKS = (_ACCOUNT_MARK, _CARD_MARK, _PERSON_MARK, _DOTTED_MARK)
_Form = tuple[str, re.Pattern[str], re.Pattern[str], Callable[[str], bool]]
_FORMS: tuple[_Form, ...] = (
    (
        "bank_account",
        _ACCOUNT_MARK,
        re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"),
        _is_account,
    ),
    (
        "payment_card",
        _CARD_MARK,
        re.compile(r"(?<![\w.+/=-])\d{4}[ -]?\d{4,6}[ -]?\d{4,5}(?:[ -]?\d{1,4})?(?![\w./-])"),
        _is_card,
    ),
    (
        "national_id",
        _PERSON_MARK,
        re.compile(r"(?<![\w.+-])\d{3}-\d{2}-\d{4}(?![\w-])"),
        ssn.is_valid,
    ),
    (
        "national_id",
        _DOTTED_MARK,
        re.compile(r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d\d(?!\w)"),
        cpf.is_valid,
    ),
    (
        "national_id",
        _DOTTED_MARK,
        re.compile(r"(?<![\w.])756(?:\.\d{4}){2}\.\d\d(?!\w)"),
        ahv.is_valid,
    ),
    ("national_id", _PERSON_MARK, re.compile(r"(?<!\w)[1-9]\d{16}[\dX](?!\w)"), _is_chinese),
    ("national_id", _PERSON_MARK, re.compile(r"(?<!\w)[A-Z]{2}(?: \d\d){3} [A-D](?!\w)"), bool),
    ("national_id", _PERSON_MARK, re.compile(r"(?<!\w)\d{8}-?[A-HJ-NP-TV-Z](?!\w)"), dni.is_valid),
    (
        "national_id",
        _PERSON_MARK,
        re.compile(r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)"),
        codicefiscale.is_valid,
    ),
)
"""Tuples of a kind of number, a mark that every such number contains, its pattern, and the test of
its check digits."""


def _find(text: str) -> Iterable[Span]:
    parts = {mark: parts_near(mark, text, _REACH) for mark in _MARKS}
    for kind, mark, form, is_valid in _FORMS:
        for match in matches(form, text, parts[mark]):
            if is_valid(match[0]):
                yield Span(match.start(), match.end(), kind)


FINDER = TextFinder(
    kinds=("bank_account", "payment_card", "national_id"),
    hint=re.compile(
        r"\d\d(?:(?<=[A-Z]{2}\d\d) ?[A-Z0-9]{4}|\d\d[ -]?\d{4,6}[ -]?\d{4}|\d-\d\d-\d{4}|\d{15}|"
        r"\d{6}-?[A-Z]|[A-Z]\d\d[A-Z]\d{3}| \d\d \d\d [A-D]|\d\.\d{3}\.\d{3}-|6\.\d{4}\.)"
    ),
    find=_find,
)
