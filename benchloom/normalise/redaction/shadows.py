"""Normalise a text for the search, and map positions back to the original text.

The normalised copy of a text is called its shadow. In a shadow each placeholder is one character,
so that no pattern can match a part of a placeholder, such as the name of its kind. Characters that
could hide a value are normalised: invisible characters are left out, wide or decorated letters and
digits become plain, and escapes (as in JSON inside a text) become the characters that they stand
for.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote

import msgspec

from benchloom.normalise.redaction.finders import Span
from benchloom.normalise.redaction.placeholders import TOKEN

_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_NUMBERED = r"u(?:[0-9A-Ca-cE-Fe-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})"
"""Matches the escape of a character, except half of a surrogate pair."""
_BREAK = r"[nrt](?=\w)"
"""Matches the escape of white space. Its letter must not look like the beginning of a word."""
_PERCENT = (
    r"(?:25){0,3}(?:[2-7][0-9A-Fa-f]|[Cc][2-9A-Fa-f]%(?:25){0,3}[89ABab][0-9A-Fa-f]|"
    r"[Dd][0-9A-Fa-f]%(?:25){0,3}[89ABab][0-9A-Fa-f]|"
    r"[Ee][0-9A-Fa-f](?:%(?:25){0,3}[89ABab][0-9A-Fa-f]){2})"
)
"""Matches the rest of a percent-encoded character after the first sign. The sign itself may be
encoded again."""
_NOT_PLAIN, _NOT_PLAIN_IN_URL = (
    # All alternatives begin in one set of characters, to which the search can skip.
    re.compile(
        rf"[\[\\{_UNSEEN}{sign}](?:(?<=\[)redacted:[a-z_]+\]|(?<=[{_UNSEEN}])[{_UNSEEN}]*|"
        rf"(?<=\\)\\{{0,7}}(?:{_NUMBERED}|{_BREAK}){rest}"
    )
    for sign, rest in (("", ")"), ("%", rf"|(?<=%){_PERCENT})"))
)
_HAS_PERCENT = re.compile(f"%{_PERCENT}")
_HAS_PLUS = re.compile(r"[\w\]]=(?:[\w.:,-]{1,16}\+){2}")
"""Matches in the body of a web form, in which a plus means a blank."""
_ENCODED_AGAIN = re.compile(r"%(?:25)+(?=[0-9A-Fa-f]{2})")
_HIDDEN = re.compile(f"[{_UNSEEN}]")
_BLOCKS = (
    (0x2070, 0x209F),
    (0x2100, 0x214F),
    (0x2460, 0x24FF),
    (0xFF01, 0xFF5E),
    (0x1D400, 0x1D7FF),
)
"""Ranges of Unicode with raised, framed, wide and mathematical letters and digits."""
_DECORATED = re.compile("[" + "".join(f"{chr(a)}-{chr(z)}" for a, z in _BLOCKS) + "]")
_PLAIN_SIGNS = frozenset("@.-_+")


class Shadow(msgspec.Struct, frozen=True):
    """A normalised copy of a text, with a map from its positions to those of the original.

    For positions from an entry of `starts` up to the next entry, the entry of `shifts` with the
    same index is added to get the original position. `stand_ins` are the end positions of
    characters that replace several characters.
    """

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()
    stand_ins: frozenset[int] = frozenset()

    def original_position(self, position: int) -> int:
        """Convert a position in the shadow to a position in the original text."""
        before = bisect_right(self.starts, position)
        return position + self.shifts[before - 1] if before else position

    def back(self, span: Span) -> Span:
        """Convert a span of the shadow to a span of the original text."""
        if not self.starts:
            return span
        end = self.original_position(span.end - 1) + 1
        if span.end in self.stand_ins:
            end = self.original_position(span.end)
        return Span(self.original_position(span.start), end, span.kind)


def shadows_of(text: str) -> Iterator[Shadow]:
    """Yield a normalised copy of a text, and one with percent escapes decoded if there are any."""
    plain_text = text if text.isascii() else _plain(text)
    if plain_text.isascii() and "[redacted:" not in plain_text and "\\" not in plain_text:
        yield Shadow(plain_text)
    else:
        yield _shadow(plain_text, _NOT_PLAIN)
    if ("%" in text and _HAS_PERCENT.search(text)) or ("+" in text and _HAS_PLUS.search(text)):
        yield _shadow(plain_text.replace("+", " "), _NOT_PLAIN_IN_URL)


def _shadow(plain_text: str, not_plain: re.Pattern[str]) -> Shadow:
    pieces: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    stand_ins: set[int] = set()
    length = position = 0
    for match in not_plain.finditer(plain_text):
        stand_in = _stand_in(match[0])
        pieces += [plain_text[position : match.start()], stand_in]
        length += match.start() - position + len(stand_in)
        position = match.end()
        if stand_in:
            stand_ins.add(length)
        starts.append(length)
        shifts.append(position - length)
    if not starts:
        return Shadow(plain_text)
    pieces.append(plain_text[position:])
    return Shadow("".join(pieces), tuple(starts), tuple(shifts), frozenset(stand_ins))


def _stand_in(written: str) -> str:
    if written.startswith("["):
        return TOKEN
    if written.startswith("%"):
        return _plain(unquote(_ENCODED_AGAIN.sub("%", written)))
    if written.endswith(("n", "r", "t")):
        return "\n"
    character = chr(int(written[-4:], 16)) if written.startswith("\\") else ""
    return "" if _HIDDEN.fullmatch(character) else _plain(character)


def _plain(text: str) -> str:
    # Every character keeps its position.
    return text.translate(_plain_forms()) if _DECORATED.search(text) else text


@cache
def _plain_forms() -> dict[int, str]:
    table: dict[int, str] = {}
    for first, last in _BLOCKS:
        for number in range(first, last + 1):
            form = unicodedata.normalize("NFKC", chr(number))
            if len(form) == 1 and form.isascii() and (form.isalnum() or form in _PLAIN_SIGNS):
                table[number] = form
    return table
