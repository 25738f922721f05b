"""Find secret and personal values in texts and fields. Each module is one finder.

A module defines `FINDER` and is discovered by its file name. `parts_near` and `matches` search a
pattern only near a mark that every match contains. Most of a long text is far from any value, so
this costs a fifth of trying the pattern everywhere.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log2
from typing import NamedTuple

import msgspec

from benchloom.core.kinds import Kind
from benchloom.core.records import Shortcut

UUID_FORM = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
"""Matches a UUID. Devices generate UUIDs, which are no secrets."""


class Span(NamedTuple):
    """A part of a text that contains a secret or personal value of a kind.

    `start` and `end` are offsets in code points.
    """

    start: int
    end: int
    kind: str


Scan = Callable[[str], tuple[Span, ...]]
"""A function that searches a text with all finders and returns the matches."""


class Field(NamedTuple):
    """A named value inside an argument of an action.

    `path` has the parameter's name, then keys and dictionary labels down to the value.
    """

    identifier: str
    path: tuple[str, ...]
    value: object

    @property
    def name(self) -> str:
        """The last name in the path of the field."""
        return self.path[-1]


def folded(text: str) -> str:
    """Convert a text to lower case without changing its length, so that all offsets stay valid."""
    return text.replace("\u0130", "i").lower()


def any_of(alternatives: Iterable[str]) -> str:
    """Join patterns to a pattern that matches any of them.

    They are grouped by first letter, which makes the search faster.
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for alternative in alternatives:
        is_letter = alternative[:1].isalnum() and alternative[1:2] not in {"?", "*", "+", "{"}
        first = alternative[0] if is_letter else alternative
        groups[first].append(alternative[len(first) :])
    return "|".join(
        first if "" in rests else f"{first}(?:{any_of(rests)})" for first, rests in groups.items()
    )


_SET = re.compile(r"\[.*?\]")


class Stems:
    """Searches a lower-case text for any of many stems (beginnings of words, given as patterns).

    Few letters of most texts are not ASCII. Stems that need such a letter have a separate pattern,
    so that an ASCII text is searched three times as fast as with one pattern.
    """

    def __init__(self, *groups: Iterable[str]) -> None:
        self.stems = frozenset(stem for group in groups for stem in group)
        ascii_stems = {stem for stem in self.stems if _SET.sub("", stem).isascii()}
        self._ascii, self._other = (
            re.compile(any_of(sorted(stems)) or "(?!)")
            for stems in (ascii_stems, self.stems - ascii_stems)
        )

    def search(self, text: str) -> re.Match[str] | None:
        """Return a match of one of the stems in the text, or None.

        It need not be the first match.
        """
        return self._ascii.search(text) or (None if text.isascii() else self._other.search(text))

    def finditer(self, text: str) -> Iterable[re.Match[str]]:
        """Return all matches of the stems in the text, in the order of their positions."""
        if text.isascii():
            return self._ascii.finditer(text)
        in_both = [*self._ascii.finditer(text), *self._other.finditer(text)]
        return sorted(in_both, key=re.Match.start)


class Finder(msgspec.Struct, frozen=True, kw_only=True):
    """Finds secret and personal values of some kinds.

    If two finders find the same value, a kind in `general` loses to any other kind. `values` maps a
    kind to a test, which decides whether a text in a field or variable of this kind is replaced;
    without a test, all texts are replaced except stand-ins such as "YOUR_API_KEY". A finder is not
    used in columns of generated ids if `in_ids` is False, nor in columns of published datasets if
    `in_published` is False.
    """

    kinds: tuple[str, ...]
    general: tuple[str, ...] = ()
    values: Mapping[str, Callable[[str], bool]] = {}
    in_ids: bool = True
    in_published: bool = True


class HintedFinder(Finder, frozen=True, kw_only=True):
    """A finder with fast tests that rule out most texts before its search.

    Every text with a match, and every JSON that contains such a text, must pass three tests. The
    pattern `hint` matches (in the lower-case text if `folded`, which is faster than ignoring case),
    the lower-case text contains one of `anchors`, and `glance(text, lower-case text)` is true.
    Finders with equal hints share the search for the hint.
    """

    hint: re.Pattern[str] | Stems
    folded: bool = False
    anchors: tuple[str, ...] = ()
    glance: Callable[[str, str], bool] | None = None


class TextFinder(HintedFinder, frozen=True, kw_only=True):
    """Finds secret and personal values in a text by patterns.

    A long text is divided into windows, and `find` is called for each window. With `whole`, `find`
    gets the whole text and must run in linear time. A finder with `in_rendered` False is not used
    for rendered workflows, because words of the rendering may look like a match. With `decoded`, a
    match counts only if its decoded text contains a secret.
    """

    find: Callable[[str], Iterable[Span]]
    whole: bool = False
    in_rendered: bool = True
    decoded: Callable[[str], str | None] | None = None


class FieldFinder(HintedFinder, frozen=True, kw_only=True):
    """A finder whose `judge` decides from a field's name whether the value is secret or personal.

    `judge` returns the kind of the value, or None for a value that is not replaced. The hint is
    searched in the parameter's name and in the JSON of its value.
    """

    judge: Callable[[Field], str | None]


class FlowFinder(Finder, frozen=True, kw_only=True):
    """Finds arguments that are secret because of what the shortcut does with them.

    `find` returns a mapping from (action index, parameter name) to kind. Its second argument is a
    function that searches a text, for example one that the shortcut joins from parts.
    """

    find: Callable[[Shortcut, Scan], Mapping[tuple[int, str], str]]


def spans_of(
    kind: str,
    *patterns: re.Pattern[str],
    near: tuple[re.Pattern[str] | Stems, int] | None = None,
    is_value: Callable[[str], bool] = bool,
) -> Callable[[str], Iterable[Span]]:
    """Return a `find` function that reports group 1 of each match of one of the patterns.

    Without a group in the pattern, it reports the whole match. `near` contains the mark and the
    reach for `parts_near`. Only matches whose text passes `is_value` are reported.
    """

    def find(text: str) -> Iterable[Span]:
        parts = [(0, len(text))] if near is None else parts_near(near[0], text, near[1])
        for pattern in patterns:
            group = min(pattern.groups, 1)
            for match in matches(pattern, text, parts):
                if match[group] and is_value(match[group]):
                    yield Span(match.start(group), match.end(group), kind)

    return find


FINDERS: Kind[Finder] = Kind(
    "redaction finder",
    "benchloom.normalise.redaction.finders",
    (FieldFinder, FlowFinder, TextFinder),
    attribute="FINDER",
)


def kinds_of(finders: Iterable[Finder]) -> frozenset[str]:
    """Return the kinds of values that these finders detect."""
    return frozenset(kind for finder in finders for kind in finder.kinds)


Part = tuple[int, int]
"""The start and the end of a part of a text."""


def parts_near(mark: re.Pattern[str] | Stems, text: str, reach: int) -> list[Part]:
    """Return the parts of a text that are within `reach` characters of a match of `mark`.

    The parts are sorted and do not touch. `reach` must exceed the length of every match that is
    searched for, lookahead included.
    """
    parts: list[Part] = []
    for mark_match in mark.finditer(text):
        start, end = max(0, mark_match.start() - reach), min(len(text), mark_match.end() + reach)
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return parts


def matches(pattern: re.Pattern[str], text: str, parts: Sequence[Part]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern in some parts of a text.

    The parts must contain every match.
    """
    for start, end in parts:
        yield from pattern.finditer(text, start, end)


def entropy(value: str) -> float:
    """Return the Shannon entropy of a text in bits per character."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())


def changes_of_kind(value: str) -> int:
    """Count the changes between upper case, lower case and digits. Secrets have more than words."""
    kinds = [(c.isupper(), c.isdigit()) for c in value if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds))


_GROUPED = re.compile(r"(?=[^a-z]*\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}")
"""Matches a licence key, which is a series of groups of characters."""
_WORD = re.compile(r"[A-Za-z0-9_+/=~!-]{6,200}")
_HEXADECIMAL = re.compile(r"(?=\D*\d)(?=\d*[a-f])[0-9a-f]{10,128}", re.IGNORECASE)
_SHORT_CODE = re.compile(r"(?=(?:[A-Z-]*\d){2})(?=[\d-]*[A-Z])[A-Z0-9-]{6,24}")


def looks_random(value: str) -> bool:
    """Return whether a single word mixes letters and digits as no ordinary word or name does.

    Only a label makes such a value a secret: "X7K9QP" alone can be a model or a flight.
    """
    if UUID_FORM.fullmatch(value) or not _WORD.fullmatch(value):
        return False
    if _GROUPED.fullmatch(value) or _HEXADECIMAL.fullmatch(value):
        return True
    changes = changes_of_kind(value)
    if _SHORT_CODE.fullmatch(value):
        return changes >= 2
    has_digit = any(map(str.isdigit, value))
    return has_digit and len(value) >= 8 and changes >= max(3, len(value) / 5)
