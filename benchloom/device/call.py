"""Define `Call`, the argument of the functions that implement actions, and their decorators."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records.values import Plain
from benchloom.device.arguments import Template
from benchloom.device.errors import ActionError
from benchloom.device.everyday import LIBRARIES
from benchloom.device.items import Content, Dictionary, Item, as_one_item, plain, spread
from benchloom.device.items.coercion import content_text, number_of, text_of, truth_of
from benchloom.device.items.item_types import dates_of
from benchloom.device.items.properties import property_of

if TYPE_CHECKING:
    from benchloom.device.interpreter import Interpreter

Details: TypeAlias = Mapping[str, str | tuple[str, str]]
"""A mapping from each detail of an effect to an argument, or to an argument and a default text."""
_NO_DETAILS: Details = MappingProxyType({})
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class Call:
    """A step of a running shortcut, with its arguments, its input and the device."""

    def __init__(
        self, run: "Interpreter", arguments: Mapping[str, Template], previous: Content
    ) -> None:
        self.run = run
        self.device = run.device
        self.previous = previous
        self._arguments = arguments

    def has(self, name: str) -> bool:
        """Return whether the shortcut's file contains an argument of the step."""
        return name in self._arguments

    def content(self, name: str) -> Content:
        """Return an argument as content, which has no items if the file lacks the argument."""
        template = self._arguments.get(name)
        return () if template is None else template(self.run)

    def choice(self, name: str) -> Dictionary:
        """Return the dictionary that the editor stores for a choice (such as an app), or {}."""
        first = next(iter(self.content(name)), None)
        return first if isinstance(first, dict) else {}

    def input(self, name: str = "WFInput") -> Content:
        """Return the argument for the input, or the previous output if that argument is missing.

        Versions of the app before 1000 never store this argument. Most files of later versions
        without the argument come from compilers, which rely on the same rule (not checked on a
        device).
        """
        template = self._arguments.get(name)
        return self.previous if template is None else template(self.run)

    def text(self, name: str, default: str = "") -> str:
        """Return an argument as text, or the default if the shortcut's file lacks the argument."""
        return content_text(self.content(name)) if self.has(name) else default

    def number(self, name: str, default: float = 0) -> int | float:
        """Return an argument as a number, or the default if the argument is missing or empty.

        Raises:
            ActionError: the argument is not a number.
        """
        content = self.content(name)
        if not content or content == ("",):
            return default
        number = number_of(content[0])
        if number is None:
            raise ActionError(f"{name} is not a number: {text_of(content[0])[:60]!r}")
        return number

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return an argument as a boolean, or the default if the shortcut's file lacks it."""
        return truth_of(as_one_item(self.content(name))) if self.has(name) else default

    def quantity(self, name: str) -> tuple[int | float, str]:
        """Return an argument's magnitude and unit; raise `ActionError` if either is missing."""
        content = self.content(name)
        if len(content) < 2:
            raise ActionError(f"{name} has no magnitude and unit")
        return number_of(content[0]) or 0, text_of(content[1])

    def dates(self, content: Content) -> list[datetime]:
        """Return the items of content that are dates, and the dates in the text of other items."""
        return [date for item in content for date in dates_of(item, self.now)]

    def change(
        self,
        effect: str,
        tool: str,
        arguments: Mapping[str, Plain],
        kind: str = "",
        **more: object,
    ) -> Item:
        """Call a tool of an everyday app, and log the change as an effect.

        If the app refuses, nothing changes and the effect contains the message. The shortcut
        continues, because the rules of the real app differ (two reminders may have the same title).
        Arguments that are None are left out. `more` contains further details of the effect.

        Returns:
            The changed row as an item of `kind`; None if the app refused, or if `kind` is "".
        """
        outcome = self.device.everyday.call(tool, arguments)
        details = {**arguments, **more}
        if outcome.refused is not None:
            details["refused"] = outcome.message
        self.run.effect(effect, {name: part for name, part in details.items() if part is not None})
        if not kind or not isinstance(outcome.result, dict):
            return None
        return self.device.everyday.item(kind, outcome.result[LIBRARIES[kind].key])

    def each(self, read: Callable[[Item], Iterable[Item]], name: str = "WFInput") -> Content:
        """Return the values that `read` returns for each item of the input."""
        return tuple(value for item in self.input(name) for value in read(item))

    def ask_each(self, question: str, names: Iterable[str], most: int | None = None) -> Content:
        """Ask a question once for each name, and return all items of the answers.

        The name replaces `{}` in `question`. `most` is the maximum number of items of each answer.
        """
        answers = (self.run.ask(question.format(name))[0] for name in names)
        return tuple(item for answer in answers for item in answer[:most])

    def properties(self, items: Iterable[Item]) -> Content:
        """Return a property of each item; an argument selects the property, by default the name."""
        name = self.text("WFContentItemPropertyName", "Name")
        return tuple(part for item in items for part in spread(property_of(item, name)))

    def pass_on(self, effect: str, **details: object) -> Content:
        """Log an effect and return the output of the previous step."""
        self.run.effect(effect, details)
        return self.previous

    def set(self, name: str, state: str) -> Content:
        """Change a setting of the device, log the change as an effect, and return the input."""
        self.device.settings[name] = state
        return self.pass_on("setting", **{name: state})

    def request(self, url: str, method: str = "GET") -> Content:
        """Log the request of a URL as an effect; return its content from the supplied answers."""
        self.run.effect("request", {"url": url, "method": method})
        return self.run.ask(f"{method} {url}")[0]

    @property
    def now(self) -> datetime:
        """The time of the device."""
        return self.device.now


Function: TypeAlias = Callable[[Call], Content]
F = TypeVar("F", bound=Function)


IDENTIFIERS = "_benchloom_identifiers"
"""The attribute of a function with the identifiers of the actions that it implements."""


def action(name: str) -> Callable[[F], F]:
    """Mark a function as the implementation of an action.

    A `name` with at most two dots is that of a built-in action, without Apple's prefix.
    """

    def marked(function: F) -> F:
        identifier = name if name.count(".") > 2 else SYSTEM_PREFIX + name
        setattr(function, IDENTIFIERS, (*getattr(function, IDENTIFIERS, ()), identifier))
        return function

    return marked


def answered(name: str, question: str, **texts: str) -> Function:
    """Return the implementation of an action whose output comes from the supplied answers.

    The names in braces in `question` are arguments of the action, whose texts replace them. `texts`
    maps these arguments to their defaults.
    """

    def answer(call: Call) -> Content:
        gaps = {key: call.text(key, default) for key, default in texts.items()}
        return call.run.ask(question.format(**gaps))[0]

    answer.__doc__ = f"Return the answer to '{question}', from the supplied answers."
    return action(name)(answer)


def requested(name: str, argument: str = "WFInput", method: str = "GET") -> Function:
    """Return the implementation of an action that requests the URL in an argument."""

    def request(call: Call) -> Content:
        url = content_text(call.input(argument))
        return call.request(url, method) if url else ()

    request.__doc__ = f"Return the response to a {method} request, from the supplied answers."
    return action(name)(request)


def read_each(names: Sequence[str], read: Callable[[Item], Iterable[Item]]) -> Function:
    """Return the implementation of actions that apply `read` to each item of the input."""

    def detect(call: Call) -> Content:
        return call.each(read)

    detect.__doc__ = "Return what the items of the input contain."
    return _named(detect, names)


def property_of_each(
    names: Sequence[str], read: Callable[[Item], Iterable[Item]] = lambda item: (item,)
) -> Function:
    """Return the implementation of actions that return a property of each item of the input.

    `read` first converts each item of the input to the items that have the property. An argument
    selects the property, by default the name.
    """

    def read_property(call: Call) -> Content:
        return call.properties(call.each(read))

    read_property.__doc__ = "Return a property of each item, by default its name."
    return _named(read_property, names)


def _named(function: Function, names: Sequence[str]) -> Function:
    for name in names:
        function = action(name)(function)
    return function


def passed_on(
    name: str,
    effect: str = "",
    details: Details = _NO_DETAILS,
    *,
    inputs: Mapping[str, str] = _NO_TEXTS,
    content: str = "",
    texts: str = "",
    **constants: str,
) -> Function:
    """Return the implementation of an action that only logs an effect and returns its input.

    Args:
        name: the name of the action, as in `action`.
        effect: the kind of the effect; with "", no effect is logged.
        details: a mapping from each detail of the effect to the argument with its text.
        inputs: a mapping like `details`; the previous output replaces a missing argument.
        content: the name of the argument with the input. The effect has a detail `items` with the
            items of the input; with "", it has no such detail.
        texts: the name of a detail that contains the items as texts and replaces `items`, or "".
        constants: details with constant values.
    """

    def pass_on(call: Call) -> Content:
        content_items = call.input(content) if content else call.previous
        logged: dict[str, object] = {
            **{key: content_text(call.input(argument)) for key, argument in inputs.items()},
            **{
                key: call.text(argument) if isinstance(argument, str) else call.text(*argument)
                for key, argument in details.items()
            },
            **constants,
        }
        if texts:
            logged[texts] = [text_of(item) for item in content_items]
        elif content:
            logged["items"] = plain(list(content_items))
        if effect:
            call.run.effect(effect, logged)
        return content_items

    pass_on.__doc__ = (
        f"Log the effect '{effect}' and return the input." if effect else "Do nothing."
    )
    return action(name)(pass_on)
