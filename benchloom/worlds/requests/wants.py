"""Describe the changes and questions that users ask for, as texts with placeholders for values."""

from collections.abc import Callable, Collection, Mapping, Sequence
from string import Formatter
from typing import TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.task import Rule, RuleTest


class Drawn(msgspec.Struct, frozen=True):
    """A drawn value and its words in a request; `apart` is true if the words do not contain it."""

    value: Plain
    text: str
    apart: bool = False


Draw: TypeAlias = Callable[[Dice], Drawn]


class After(msgspec.Struct, frozen=True):
    """A source of values that are drawn relative to the value of another argument, `name`."""

    name: str
    draw: Callable[[Dice, Plain], Drawn]


class Named(msgspec.Struct, frozen=True):
    """A source of things that people call by name, with the read call that finds such a thing.

    The call has the arguments `by` and, if `name` is set, the thing's name as the argument `query`.
    It must find exactly one thing. The value that the source supplies is in the thing's `field`.

    Args:
        tool: the full name of the tool that reads.
        field: the field of the tool's result that contains the value.
        text: the words for the thing, with placeholders for the name and the arguments in `by`.
        query: the argument of the tool that takes the name.
        name: the field of the result that contains the name; "" if `by` alone finds the thing.
        by: sources of further arguments, whose values are drawn first.
        listing: arguments with which, together with `by`, the tool lists all things.
        only: a mapping from some fields of a thing to their allowed values; things with other
            values are not drawn.
        many: whether the value is a list whose only entry is the thing.
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
        tool: the full name of the tool.
        text: an instruction that begins with a verb, with placeholders such as `{time}` for the
            arguments.
        take: the sources of the arguments' values; `requests` adds the usual sources.
        makes: a field of the result that later changes may use, and the words for it.
        first: the source of one argument in a first attempt, which the tool must refuse.
        otherwise: the text for the second attempt, with a placeholder for this argument.
        after: a change that must come before this change in the request.
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

    `text` is an instruction, in which the placeholder `{it}` stands for the words for the thing.
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
    """Return a question for the value of a field; `Named` explains the arguments.

    `text` is the whole question, with placeholders for the name and the arguments in `by`.
    """
    return Question("{it}", Named(tool, field, text, name=name, by=by or {}, listing=listing or {}))


class Policy(msgspec.Struct, frozen=True):
    """A template of a `Rule` that an agent may have to obey; one of the `limits` is drawn.

    Each limit is a value and the words for it, which replace `{limit}` in `text`.
    """

    text: str
    tool: str
    argument: str
    test: RuleTest
    limits: tuple[tuple[Plain, str], ...]
    column: str = ""

    def rule(self, limit: int) -> Rule:
        """Return the rule with the limit at the index `limit` of `limits`."""
        value, words = self.limits[limit]
        text = self.text.format(limit=words)
        return Rule(text, self.tool, self.argument, self.test, value, self.column)


class Requests(msgspec.Struct, frozen=True, kw_only=True):
    """The changes and questions that users of an app ask for, and policies that forbid changes."""

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
    """Return the requests of an app, and add the usual sources of values to its changes.

    A placeholder of a `Want` for which the `Want` lists no source gets its source from `usual`. The
    added sources come last, in the order of the text.
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
