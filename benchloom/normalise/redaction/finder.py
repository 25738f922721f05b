"""The three kinds of finders. A module of `finders` offers one of them under the name `FINDER`."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec

from benchloom.core.records import Shortcut

UUID_FORM = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
"""What a UUID looks like: made by a device, and no secret."""


class Span(NamedTuple):
    """A part of a text, as code points, and the kind of value it holds."""

    start: int
    end: int
    kind: str


Scan = Callable[[str], tuple[Span, ...]]
"""The search of a text by every text finder."""


class Field(NamedTuple):
    """A named value inside an argument.

    `path` starts with the parameter's name and goes on with the keys and dictionary labels down to
    the value; indices of lists are left out. `value` is the decoded canonical value.
    """

    identifier: str
    path: tuple[str, ...]
    value: object

    @property
    def name(self) -> str:
        """The innermost name."""
        return self.path[-1]


def folded(text: str) -> str:
    """A text in lower case, every character in its place (one capital would become two)."""
    return text.replace("\u0130", "i").lower()


class TextFinder(msgspec.Struct, frozen=True, kw_only=True):
    """Finds values inside a text by their pattern.

    `hint` is a cheap necessary condition on the text or on JSON that holds it; on the folded text
    where `folded` says so, which is much faster than a pattern that ignores case. `whole` asks
    for the whole of a long text at once; `find` must then be linear. Others see windows of it.
    `in_rendered` is False where a rendered workflow description would itself look like a finding.
    `anchors` are lower-case texts one of which the folded text must hold: far cheaper than `hint`.
    `glance` says the same of a text and its folded form where neither of them does. `decoded` is
    for a text in disguise: a span counts where something is found in the text behind it.
    """

    kinds: tuple[str, ...]
    hint: re.Pattern[str]
    find: Callable[[str], Iterable[Span]]
    folded: bool = False
    whole: bool = False
    in_rendered: bool = True
    anchors: tuple[str, ...] = ()
    glance: Callable[[str, str], bool] | None = None
    decoded: Callable[[str], str | None] | None = None

    def may_hold(self, text: str, low: str) -> bool:
        """Whether a text, given also folded, is worth the search."""
        if self.anchors and not any(anchor in low for anchor in self.anchors):
            return False
        if self.hint.search(low if self.folded else text) is None:
            return False
        return self.glance is None or self.glance(text, low)


class FieldFinder(msgspec.Struct, frozen=True, kw_only=True):
    """Finds values by where they stand: `judge` gives the kind of a field or None.

    Everything an author typed below a judged field is replaced. `hint` is searched in the name of
    the parameter and in the JSON of its value, folded where `folded` says so.
    """

    kinds: tuple[str, ...]
    hint: re.Pattern[str]
    judge: Callable[[Field], str | None]
    folded: bool = False


class FlowFinder(msgspec.Struct, frozen=True, kw_only=True):
    """Finds arguments by what the shortcut does with them.

    `find` gives the kind per (action index, parameter name). It also gets the search for texts, for
    texts that the shortcut puts together.
    """

    kinds: tuple[str, ...]
    find: Callable[[Shortcut, Scan], Mapping[tuple[int, str], str]]


Finder = TextFinder | FieldFinder | FlowFinder


def spans_of(pattern: re.Pattern[str], kind: str) -> Callable[[str], Iterable[Span]]:
    """A `find` that reports group 1 of every match, or the whole match without groups."""
    group = 1 if pattern.groups else 0

    def find(text: str) -> Iterable[Span]:
        for match in pattern.finditer(text):
            if match.start(group) >= 0:
                yield Span(match.start(group), match.end(group), kind)

    return find
