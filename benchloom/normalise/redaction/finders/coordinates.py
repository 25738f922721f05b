"""Find coordinates that are precise enough to locate a house.

They can be pairs of decimal numbers, degrees with minutes, or parts of links.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder, matches, parts_near

_PAIR = re.compile(
    r"(?<![\w.])([-+]?\d{1,2}\.\d{3,20})(?:°)?\s{0,2}[NS]?\s{0,2}[,;+]\s{0,2}"
    r"([-+]?\d{1,3}\.\d{3,20})(?:°)?\s?[EWO]?(?!\w|\.\d)"
)
_DEGREES = re.compile(
    r"\d{1,2}°\s?\d{1,2}['\u2032]\s?(?:\d{1,2}(?:\.\d+)?[\"\u2033]|''?)?\s?[NS][,;\s]{1,3}"
    r"\d{1,3}°\s?\d{1,2}['\u2032]\s?(?:\d{1,2}(?:\.\d+)?[\"\u2033]|''?)?\s?[EWO]"
)
_NAMED = re.compile(
    r"(?i)[\"']?\b(?:latitude|longitude|lat|lng|lon|long)[\"']?\s{0,2}[:=]\s{0,2}[\"']?"
    r"([-+]?\d{1,3}\.\d{3,20})"
)
_DECIMALS = r"\.(?<=\d\.)\d{3}"
_DEGREE = "°"
_MARK = re.compile(_DECIMALS)
"""Matches a part of every decimal number. It begins with the point, to which the search can
skip."""
_REACH = 80


_ALONE = re.compile(r"\s*([-+]?\d{1,2}\.\d{4,20})\s+([-+]?\d{1,3}\.\d{4,20})\s*")
_AFTER = re.compile(r"[\s,]{1,3}[-+]?\d{1,4}\.\d{1,4}(?!\d)")
_BEFORE = re.compile(r"\d[\s,]{1,3}$")  # Numbers beside a pair: the outline of a drawing.


def _is_on_earth(latitude: str, longitude: str) -> bool:
    is_whole = float(latitude).is_integer() and float(longitude).is_integer()
    return abs(float(latitude)) <= 90 and abs(float(longitude)) <= 180 and not is_whole


def _find(text: str) -> Iterable[Span]:
    parts = parts_near(_MARK, text, _REACH)
    for coordinate_match in matches(_PAIR, text, parts):
        if _is_on_earth(coordinate_match[1], coordinate_match[2]) and not (
            _AFTER.match(text, coordinate_match.end(2))
            or _BEFORE.search(text[max(0, coordinate_match.start() - 4) : coordinate_match.start()])
        ):
            yield Span(coordinate_match.start(), coordinate_match.end(2), "coordinates")
    alone = _ALONE.fullmatch(text)
    if alone is not None and _is_on_earth(alone[1], alone[2]):
        yield Span(alone.start(1), alone.end(2), "coordinates")
    if _DEGREE in text:
        for coordinate_match in _DEGREES.finditer(text):
            yield Span(coordinate_match.start(), coordinate_match.end(), "coordinates")
    for coordinate_match in matches(_NAMED, text, parts):
        if float(coordinate_match[1]) == 0:
            continue
        yield Span(coordinate_match.start(1), coordinate_match.end(1), "coordinates")


FINDER = TextFinder(
    kinds=("coordinates",), hint=re.compile(rf"{_DECIMALS}|{_DEGREE}(?<=\d{_DEGREE})"), find=_find
)
