"""Patterns are tried only near what every match of them holds.

Most of a long text is far from anything that could be a value: a page of plots holds a hundred
thousand digits and no run of seven. To look for a mark that each match must hold costs a fifth of
trying the pattern at every character, and what is found is the same.
"""

import re
from collections.abc import Iterator, Sequence

Part = tuple[int, int]
"""Start and end of a part of a text."""


def parts_near(mark: re.Pattern[str], text: str, reach: int) -> list[Part]:
    """The parts of a text within `reach` of what a mark matches, in order; none touch.

    `reach` is more than the longest match of the patterns that are tried there, with what they look
    at behind it. Then none is cut off: where two matches of the mark overlap, of which only the
    first is met here, both lie in the same part.
    """
    parts: list[Part] = []
    for met in mark.finditer(text):
        start, end = max(0, met.start() - reach), min(len(text), met.end() + reach)
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return parts


def matches(pattern: re.Pattern[str], text: str, parts: Sequence[Part]) -> Iterator[re.Match[str]]:
    """The matches of a pattern in a text, by the parts that hold them all."""
    for start, end in parts:
        yield from pattern.finditer(text, start, end)
