"""What can be wanted of a tool: words with gaps, and what fills each gap."""

from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.suites.everyday.asking.dice import Dice


class Drawn(msgspec.Struct, frozen=True):
    """A value and how it is said; `apart` where the words say it and do not spell it."""

    value: Plain
    text: str
    apart: bool = False


Draw: TypeAlias = Callable[[Dice], Drawn]


class After(msgspec.Struct, frozen=True):
    """A value that is drawn for the one of an argument that stands before it, `name`."""

    name: str
    draw: Callable[[Dice, Plain], Drawn]


class Named(msgspec.Struct, frozen=True):
    """Something that people call by a name, and the read that finds it.

    The read is `tool` with the arguments `by` and, if `name` is set, the name as argument `query`.
    It must find exactly one thing; the `field` of that thing is the value.

    Args:
        tool: full name of the read.
        field: the field of its result that is taken.
        text: how it is said; `{name}` is the name, others are the arguments in `by`.
        query: the argument that takes the name.
        name: the field of the result that is the name; empty if the thing is found by `by` alone.
        by: arguments that are found or drawn before.
        listing: arguments with which the read lists everything, where they are not those of `by`.
        one: whether the read gives back one thing and no list.
    """

    tool: str
    field: str
    text: str
    query: str = "query"
    name: str = ""
    by: Mapping[str, "Source"] = {}
    listing: Mapping[str, Plain] = {}
    one: bool = False

    def for_field(self, field: str, text: str = "") -> "Named":
        """Take another field of the same thing, said as `text` or else as before."""
        return msgspec.structs.replace(self, field=field, text=text or self.text)


Source: TypeAlias = "Named | After | Draw"


class Want(msgspec.Struct, frozen=True):
    """A write that people want.

    Args:
        tool: full name of the tool.
        text: an order that begins with a verb; a gap for each argument, as `{time}`.
        take: what fills the arguments, except for the usual ones; see `requests`.
        makes: the field of what it gives back by which later wants may take it, and its words.
        first: draws for a first try that is to be refused; one argument.
        otherwise: what is said then, with a gap for that argument.
        after: what has to be done first, and is said first.
    """

    tool: str
    text: str
    take: Mapping[str, Source] = {}
    makes: tuple[str, str] | None = None
    first: Mapping[str, Source] = {}
    otherwise: str = ""
    after: "Want | None" = None


class Question(msgspec.Struct, frozen=True):
    """Something that people want to be told: the field of a thing with a name.

    `text` is an order, with the gap `{it}` for the thing.
    """

    text: str
    about: Named


class Requests(msgspec.Struct, frozen=True, kw_only=True):
    """What an app can be asked for."""

    wants: tuple[Want, ...] = ()
    questions: tuple[Question, ...] = ()


def requests(
    *,
    usual: Mapping[str, Source] | None = None,
    wants: Sequence[Want],
    questions: Sequence[Question] = (),
) -> Requests:
    """Return the requests of an app; `usual` fills the gaps that a want does not fill itself.

    The sources of the want come first, then the usual ones in the order of the text.
    """
    return Requests(
        wants=tuple(_completed(want, usual or {}) for want in wants), questions=tuple(questions)
    )


def _completed(want: Want, usual: Mapping[str, Source]) -> Want:
    gaps = [name for _, name, _, _ in Formatter().parse(want.text) if name is not None]
    take = {**want.take, **{name: usual[name] for name in gaps if name not in want.take}}
    return msgspec.structs.replace(want, take=take)
