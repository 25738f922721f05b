"""The shadow of a text: what finders look at, and the way back to the text itself.

In a shadow every placeholder is one attachment character, so that no pattern can match inside one,
across one, or by its name. Characters that nobody sees are left out, and wide or decorated forms of
letters and digits stand as plain ones: none of them may hide a value.
"""

import re
import unicodedata
from bisect import bisect_right
from functools import cache

import msgspec

from benchloom.normalise.redaction.finder import Span
from benchloom.normalise.redaction.placeholders import PLACEHOLDER, TOKEN

_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_LEFT_OUT = re.compile(rf"{PLACEHOLDER.pattern}|[{_UNSEEN}]+")
_BLOCKS = (
    (0x2070, 0x209F),
    (0x2100, 0x214F),
    (0x2460, 0x24FF),
    (0xFF01, 0xFF5E),
    (0x1D400, 0x1D7FF),
)
"""Where Unicode keeps raised, framed, wide and mathematical forms of letters and digits."""
_DECORATED = re.compile("[" + "".join(f"{chr(a)}-{chr(z)}" for a, z in _BLOCKS) + "]")
_PLAIN_SIGNS = frozenset("@.-_+")


class Shadow(msgspec.Struct, frozen=True):
    """A shadow; `starts` and `shifts` say how far behind the text it lies from a place on."""

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def place(self, position: int) -> int:
        """Where the character at a position of the shadow stands in the text."""
        before = bisect_right(self.starts, position)
        return position + self.shifts[before - 1] if before else position

    def back(self, span: Span) -> Span:
        """A span of the shadow as a span of the text."""
        if not self.starts:
            return span
        return Span(self.place(span.start), self.place(span.end - 1) + 1, span.kind)


def shadow_of(text: str) -> Shadow:
    """The shadow of a text; the text itself where nothing in it is hidden."""
    shown = text if text.isascii() else _plain(text)
    if "[redacted:" not in shown and shown.isascii():
        return Shadow(shown)
    pieces: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    length = position = 0
    for found in _LEFT_OUT.finditer(shown):
        stand_in = TOKEN if found[0].startswith("[") else ""
        pieces += [shown[position : found.start()], stand_in]
        length += found.start() - position + len(stand_in)
        position = found.end()
        starts.append(length)
        shifts.append(position - length)
    if not starts:
        return Shadow(shown)
    pieces.append(shown[position:])
    return Shadow("".join(pieces), tuple(starts), tuple(shifts))


def _plain(text: str) -> str:
    """Wide and decorated letters and digits as plain ones, every character in its place."""
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
