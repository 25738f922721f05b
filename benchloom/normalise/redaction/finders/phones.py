"""Find phone numbers: international, national in a phone format, and in call links.

Google's metadata (phonenumbers) decides whether the digits can be an assigned number, and whether a
company has it: toll-free and shared-cost numbers are not replaced. Neither are plain runs of digits
without a plus, brackets or a label, because they are ids, sizes and times.
"""

import re
from collections.abc import Iterable, Iterator

import phonenumbers
from phonenumbers import PhoneNumber, PhoneNumberType
from stdnum import ean

from benchloom.normalise.redaction.finders import (
    Span,
    Stems,
    TextFinder,
    folded,
    matches,
    parts_near,
)
from benchloom.normalise.redaction.finders._labels import PHONE_STEMS, PHONES, PREPOSITIONS, VERBS

_CANDIDATE = re.compile(
    r"(?<![\w.+&#-])\+\d[\d ().\u00a0/-]{6,20}\d(?![\w=])"
    r"|(?<![\w.+/=&#-])(?:"
    r"00[1-9]\d[\d ().-]{6,18}\d"
    r"|\(0?\d{2,5}\)[ -]?\d[\d -]{4,12}\d"
    r"|\d{3}[-. ]\d{3}[-. ]\d{4}"
    r"|0\d{2,4}[ /-]\d{3}[\d -]{2,8}\d"
    r"|0[1-9](?:([ .\u00a0-])\d{2})(?:\1\d{2}){3}"
    r")(?![\w=/])"
)
_LINK = re.compile(
    r"(?:(?:tel|sms|imessage|facetime|facetime-audio|callto|whatsapp)(?::|://)(?://)?"
    r"(?:send/?\?phone=)?|wa\.me/|[?&]phone=)(\+?\d[\d().%-]{5,20}\d)"
)
_LABELLED = re.compile(
    rf"(?:{PHONES})\.?(?:\s(?:{PREPOSITIONS})(?:\s[^\W\d_]{{1,12}}){{1,2}})?"
    rf"(?:\s(?:{VERBS}|to))?\s{{0,2}}[:=\uff1a]?\s{{0,2}}"
    r"(\+?\d[\d ().-]{6,18}\d)(?!\w)"
)
"""Matches a number after a label such as "phone". Like `_LINK`, it is used on lower-case texts."""
_MARKS = Stems(PHONE_STEMS, ("message", "facetime", "callto", "wa.me", "phone="))
_CHINESE = re.compile(r"(?<![\w.+-])1[3-9]\d{9}(?![\w.])")
_DIGITS = re.compile(r"\d[\d ().\u00a0/%-]{5,}\d")  # What every number holds.
_REACH = 96
_SERVICES = frozenset({PhoneNumberType.TOLL_FREE, PhoneNumberType.SHARED_COST,
                       PhoneNumberType.PREMIUM_RATE, PhoneNumberType.UAN})  # fmt: skip
_PLANS = (
    (("+", "00"), ("ZZ",)),
    ("0", ("GB", "DE", "FR", "AU", "JP", "NL")),
    ("400", ("CN",)),
    ("", ("US",)),
)
"""Pairs of first characters of a number, and the regions in which such a number can be national."""
_REGIONS = ("US", "GB", "DE", "FR", "IT", "ES", "AU", "IN", "BR", "JP", "CN", "NL")


def _find(text: str) -> Iterable[Span]:
    parts = parts_near(_DIGITS, text, _REACH)
    for match in matches(_CANDIDATE, text, parts):
        if _is_number(match[0]):
            yield Span(match.start(), match.end(), "phone")
    low = folded(text)
    for pattern in (_LINK, _LABELLED) if _MARKS.search(low) else ():
        for match in matches(pattern, low, parts):
            digits = sum(character.isdigit() for character in match[1])
            if 7 <= digits <= 15 and not is_service_number(match[1]):
                yield Span(match.start(1), match.end(1), "phone")
    for match in matches(_CHINESE, text, parts):
        yield Span(match.start(), match.end(), "phone")


def _is_number(written: str) -> bool:
    # Fictional American numbers count too, barcodes that begin with zeros do not.
    if written.isdigit() and ean.is_valid(written):
        return False
    is_international = written.startswith(("+", "00"))
    numbers = list(_possible_numbers(written, ("ZZ",) if is_international else _REGIONS))
    return not is_service_number(written) and any(
        is_international or number.country_code == 1 or phonenumbers.is_valid_number(number)
        for number in numbers
    )


def is_service_number(written: str) -> bool:
    """Return whether a number can only belong to a company, such as a toll-free number.

    A number without a country prefix may be valid in several countries; it must be of this kind in
    each of them.
    """
    regions = next((plans for start, plans in _PLANS if written.startswith(start)), ())
    valid = filter(phonenumbers.is_valid_number, _possible_numbers(written, regions))
    kinds = {phonenumbers.number_type(number) for number in valid}
    return bool(kinds) and kinds <= _SERVICES


def _possible_numbers(written: str, regions: tuple[str, ...]) -> Iterator[PhoneNumber]:
    if written.startswith("00"):
        written = "+" + written[2:]
    for region in regions:
        try:
            number = phonenumbers.parse(written, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_possible_number(number):
            yield number


FINDER = TextFinder(kinds=("phone",), hint=_DIGITS, find=_find)
