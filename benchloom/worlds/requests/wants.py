"""The changes and questions that users ask of tools: texts with placeholders, and value sources."""

from collections.abc import Callable, Collection, Mapping, Sequence
from string import Formatter
from typing import TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.task import Rule, RuleTest


class Drawn(msgspec.Struct, frozen=True):
    """A value and its words in a request; `apart` if the words do not contain the value."""

    value: Plain
    text: str
    apart: bool = False


Draw: TypeAlias = Callable[[Dice], Drawn]


class After(msgspec.Struct, frozen=True):
    """A value that is drawn relative to the value of the argument `name`."""

    name: str
    draw: Callable[[Dice, Plain], Drawn]


class Named(msgspec.Struct, frozen=True):
    """A thing with a name that people use, and the read call that finds it.

    The read is `tool` with the arguments `by` and, if `name` is set, the name as argument `query`.
    It must find exactly one thing; the `field` of that thing is the value.

    Args:
        tool: full name of the read.
        field: the field of its result that contains the value.
        text: the words for the thing, with placeholders: `{name}`, and the arguments in `by`.
        query: the argument for the name.
        name: the field of the result with the name; empty if `by` alone finds the thing.
        by: further arguments of the read, which are found or drawn first.
        listing: arguments, beside `by`, with which the read lists all things.
        only: the allowed values of fields of the named thing.
        many: whether the argument is a list of things; this thing is its only entry.
    """

    tool: str
    field: str
    text: str
    query: str = "query"
    name: str = ""
    by: Mapping[str, "Source"] = {}
    listing: Mapping[str, Plain] = {}
    only: Mapping[str, Collection[Plain]] = {}
    many: bool = False

    def among(self, **fields: bool | str | tuple[str, ...]) -> "Named":
        """Return a copy that draws only things with these column values.

        A tuple lists several allowed values of a column.
        """
        values = {
            name: value if isinstance(value, tuple) else (value,) for name, value in fields.items()
        }
        return msgspec.structs.replace(self, only={**self.only, **values})

    def for_field(self, field: str, text: str = "") -> "Named":
        """Return a copy for another field of the same entity, optionally with other words."""
        return msgspec.structs.replace(self, field=field, text=text or self.text)


Source: TypeAlias = "Named | After | Draw"


class Want(msgspec.Struct, frozen=True):
    """A change that users want a tool to make.

    Args:
        tool: full name of the tool.
        text: an instruction that begins with a verb; a placeholder for each argument: `{time}`.
        take: sources of the arguments, except for the usual ones; see `requests`.
        makes: a field of the result that later wants may use, and its wording.
        first: a source for one argument of a first attempt, which must be refused.
        otherwise: the text for the second attempt, with a placeholder for the argument.
        after: a `Want` that must come before in the request.
    """

    tool: str
    text: str
    take: Mapping[str, Source] = {}
    makes: tuple[str, str] | None = None
    first: Mapping[str, Source] = {}
    otherwise: str = ""
    after: "Want | None" = None


class Question(msgspec.Struct, frozen=True):
    """A question about a field of a named thing.

    `text` is an instruction; its placeholder `{it}` is the wording of the thing.
    """

    text: str
    about: Named


def ask(
    text: str,
    tool: str,
    field: str,
    by: Mapping[str, Source] | None = None,
    *,
    name: str = "",
    listing: Mapping[str, Plain] | None = None,
) -> Question:
    """Return a question about a thing.

    `text` has the words for the thing, with placeholders as in `Named`.
    """
    return Question("{it}", Named(tool, field, text, name=name, by=by or {}, listing=listing or {}))


class Policy(msgspec.Struct, frozen=True):
    """A rule that an agent may have to obey, with limits to draw from; see `Rule`.

    `text` may contain `{limit}`; each of the `limits` is a value and its wording.
    """

    text: str
    tool: str
    argument: str
    test: RuleTest
    limits: tuple[tuple[Plain, str], ...]
    column: str = ""

    def rule(self, limit: int) -> Rule:
        """Return the rule with the limit at an index of `limits`."""
        value, words = self.limits[limit]
        text = self.text.format(limit=words)
        return Rule(text, self.tool, self.argument, self.test, value, self.column)


class Requests(msgspec.Struct, frozen=True, kw_only=True):
    """The changes and questions that users ask of an app, and policies that forbid changes."""

    wants: tuple[Want, ...] = ()
    questions: tuple[Question, ...] = ()
    policies: tuple[Policy, ...] = ()


def requests(
    *,
    usual: Mapping[str, Source] | None = None,
    wants: Sequence[Want],
    questions: Sequence[Question] = (),
    policies: Sequence[Policy] = (),
) -> Requests:
    """Return the requests of an app; `usual` has the value sources that a `Want` does not list.

    The sources of the `Want` come first, then the usual ones in the order of the text.
    """
    return Requests(
        wants=tuple(_completed(want, usual or {}) for want in wants),
        questions=tuple(questions),
        policies=tuple(policies),
    )


def _completed(want: Want, usual: Mapping[str, Source]) -> Want:
    gaps = [name for _, name, _, _ in Formatter().parse(want.text) if name is not None]
    take = {**want.take, **{name: usual[name] for name in gaps if name not in want.take}}
    return msgspec.structs.replace(want, take=take)
