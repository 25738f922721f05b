"""Find Base64 data of pictures and files in texts, to exclude them from searches for patterns."""

import re
import string
from collections.abc import Iterator
from functools import lru_cache

WINDOW = 128 * 1024
"""Longer texts are searched in windows of this size, so that no pattern takes quadratic time."""
OVERLAP = 16 * 1024
"""A search reads this many characters after a window, so that it finds every value that starts in
the window completely."""
BEFORE = 256
"""A search reads this many characters before a window, so that the start of the window does not
look like the start of a value."""
_EDGE = 256
_DATA = re.compile(
    r"(?:[A-Za-z0-9+/]{60,}+(?:(?:\\r\\n|\\r\n|\r\\n|\r\n|\\n|\n)[ \t]?+)?+){16,}+"
    r"|[A-Za-z0-9+/]{1024,}+"
)
FILE = re.compile(
    r"(?<![A-Za-z0-9+/])(?:iVBORw0K|/9j/|R0lGOD|UklGR|SUkqA|TU0AK|AAABAA|PHN2Zy|AAAA.[GWm2]Z0eX|"
    r"JVBERi0|UEsDB|H4sI|N3q8|SUQz|T2dnUw|d09G[RM]|AAEAAA)"
    r"(?:[A-Za-z0-9+/]+(?:\\r\\n|\\n|[\r\n ]{1,3}(?=[A-Za-z0-9+/]{40}))?)+={0,2}"
)
"""Matches the Base64 data of a picture, a sound, a document or an archive, by their first bytes."""
_LINE = b"a" * 60
_SHORTEST = 16 * len(_LINE)
_LETTERS = (string.ascii_letters + string.digits + "+/").encode()
_KINDS = bytes(b"a"[0] if byte in _LETTERS else b" "[0] for byte in range(256))


def without_data(text: str) -> str:
    """Remove encoded pictures and files from a text or JSON, except their first and last part."""
    pieces: list[str] = []
    position = 0
    for start, end in _data(text):
        pieces += [text[position : start + _EDGE], text[end - _EDGE : end]]
        position = end
    return "".join([*pieces, text[position:]]) if pieces else text


@lru_cache(maxsize=8)
def windows(text: str) -> tuple[tuple[int, int, int, int], ...]:
    """Divide a long text into windows for pattern searches, without most of its encoded data.

    A window is four offsets: the start of the characters to read, the first and the end offset at
    which a match may start, and the end of the characters to read.
    """
    window_bounds: list[tuple[int, int, int, int]] = []
    position = 0
    for data_start, data_end in [*_data(text), (len(text), len(text))]:
        stop = min(data_start + _EDGE, len(text))
        window_bounds += [
            (
                max(position, start - BEFORE),
                start,
                min(start + WINDOW, stop),
                min(start + WINDOW + OVERLAP, stop),
            )
            for start in range(position, stop, WINDOW)
        ]
        position = data_end - _EDGE
    return tuple(window_bounds)


def _data(text: str) -> tuple[tuple[int, int], ...]:
    return () if len(text) < _SHORTEST else _data_of(text)


@lru_cache(maxsize=8)
def _data_of(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_encoded_ranges(text))


def _encoded_ranges(text: str) -> Iterator[tuple[int, int]]:
    # Encoded data begins with a long line of Base64 characters. The line is searched in a copy with
    # two characters, "Base64" and "other"; the pattern itself would be tried at every letter.
    kinds = text.encode("ascii", "replace").translate(_KINDS)
    start = kinds.find(_LINE)
    while start >= 0:
        encoded_match = _DATA.match(text, start)
        end = kinds.find(b" ", start) if encoded_match is None else encoded_match.end()
        if encoded_match is not None:
            yield encoded_match.span()
        start = kinds.find(_LINE, end) if end >= 0 else -1
