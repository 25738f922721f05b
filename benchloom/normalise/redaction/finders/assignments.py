"""Secrets assigned to a revealing name inside a text: JSON, code, notes, forms."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder, changes_of_kind, folded
from benchloom.normalise.redaction.finders._names import LABELS, SECRET_HINT, secret_kind
from benchloom.normalise.redaction.placeholders import is_stand_in

_SIGN = r"(?:\\{0,3}[\"'”])?\s{0,3}(?:=>|[:=\uff1a])\s{0,3}"
"""Between name and value; quotes may be escaped, as in JSON inside a text."""
_ASSIGNED = re.compile(rf"(?:{SECRET_HINT.pattern})[\w -]{{0,16}}({_SIGN})")
"""Searched in the folded text."""
_NAME = re.compile(r" {0,4}([\w-]*(?: [\w'-]+){0,3})")
"""Matched backwards from the end of the name, because its start is unknown."""
_LONGEST_NAME = 48
_LONGEST_BARE = 2000
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile(r"\\{0,3}[\"'“]([^\"'”\n\ufffc\[{<$\\]{3,2000})\\{0,3}[\"'”]")
_BARE = re.compile(r"([^\s\"'\ufffc\[\]{}<$(,;&\\]{4,2000})")
_CODE = re.compile(
    r"[\w.]+\(|(?:await|new|return|function|document|window|this|self|args|input)\b|https?:|//"
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)+;?$|[a-z][a-z0-9+.-]{1,20}://|(?:app-)?prefs:"
)


def _find(text: str) -> Iterable[Span]:
    position = digit = 0
    low = folded(text)
    while (assigned := _ASSIGNED.search(low, position)) is not None:
        position = assigned.end()
        before = text[max(0, assigned.start() - _LONGEST_NAME) : assigned.start(1)]
        name = _NAME.match(before[::-1])
        kind = secret_kind(name[1][::-1]) if name is not None else None
        if kind is None:
            continue
        label = LABELS[kind]
        quoted = _QUOTED.match(text, position)
        if quoted is None and label.needs_digit:
            # Bare values without a digit are words: a run of names is not read at each of them.
            digit = digit if digit >= position else _next_digit(text, position)
            if digit - position > _LONGEST_BARE:
                continue
        value_match = quoted or _BARE.match(text, position)
        if value_match is None or is_stand_in(value_match[1]):
            continue
        is_shaped = quoted is not None or _is_bare(value_match[1], needs_digit=label.needs_digit)
        if is_shaped and label.is_value(value_match[1]):
            yield Span(value_match.start(1), value_match.end(1), kind)
            position = value_match.end()


def _is_bare(value: str, *, needs_digit: bool) -> bool:
    is_word = value.isalpha() and changes_of_kind(value) <= len(value) / 3
    has_sign = not (needs_digit or is_word)
    return (has_sign or _DIGIT.search(value) is not None) and _CODE.match(value) is None


def _next_digit(text: str, position: int) -> int:
    match = _DIGIT.search(text, position)
    return match.start() if match is not None else len(text) + _LONGEST_BARE + 1


FINDER = TextFinder(
    kinds=tuple(LABELS),
    hint=SECRET_HINT,
    folded=True,
    find=_find,
    in_rendered=False,
)
