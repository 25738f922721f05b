"""Search with the regular expressions of shortcuts, with a time limit for each search.

The app uses ICU. The package `regex` is the closest to ICU in Python, because it supports
possessive quantifiers, atomic groups and Unicode properties. It can also stop a search.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import regex

from benchloom.device.errors import ActionError, LimitError

SECONDS = 0.4
"""The maximum duration of a search in seconds, which only hostile patterns reach."""
_LONGEST = 20_000
Pattern: TypeAlias = Any
Match: TypeAlias = Any


@lru_cache(maxsize=256)
def compiled(pattern: str, *, ignore_case: bool = False) -> Pattern:
    """Compile a regular expression of a shortcut.

    Raises:
        ActionError: the pattern is not valid.
        LimitError: the pattern is too long.
    """
    if len(pattern) > _LONGEST:
        raise LimitError(f"a regular expression has more than {_LONGEST} characters")
    flags = regex.VERSION0 | (regex.IGNORECASE if ignore_case else 0)
    try:
        return regex.compile(pattern, flags)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        raise ActionError(f"the regular expression is not valid: {error}") from error


def matches(pattern: Pattern, text: str) -> Iterator[Match]:
    """Yield the matches of a compiled pattern in a text.

    Raises:
        LimitError: the search takes too long.
    """
    try:
        yield from pattern.finditer(text, timeout=SECONDS)
    except TimeoutError as error:
        raise LimitError("the search with a regular expression takes too long") from error


def replaced(pattern: Pattern, template: str, text: str) -> str:
    r"""Replace the matches of a pattern in a text; `$1` and `\1` in the template are groups.

    Raises:
        LimitError: the search takes too long.
    """
    pieces = list(_pieces(template))

    def filled(match: Match) -> str:
        return "".join(
            piece
            if isinstance(piece, str)
            else (match[piece] or "")
            if piece <= pattern.groups
            else ""
            for piece in pieces
        )

    try:
        result: str = pattern.sub(filled, text, timeout=SECONDS)
    except TimeoutError as error:
        raise LimitError("the search with a regular expression takes too long") from error
    return result


def _pieces(template: str) -> Iterator[str | int]:
    position = 0
    while position < len(template):
        sign, following = template[position], template[position + 1 : position + 2]
        if sign in "$\\" and following.isascii() and following.isdigit():
            yield int(following)
            position += 2
        elif sign == "\\" and following:
            yield {"n": "\n", "t": "\t", "r": "\r"}.get(following, following)
            position += 2
        else:
            yield sign
            position += 1
