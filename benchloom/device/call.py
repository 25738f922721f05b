"""One step of a run, as the function of its action sees it; and the mark of such functions."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records.values import Plain
from benchloom.device.arguments import Scope, Template
from benchloom.device.errors import ActionError
from benchloom.device.everyday import LIBRARIES
from benchloom.device.items import Content, Item, MadeAnswer, as_one_item, plain
from benchloom.device.items.coercion import content_text, number_of, text_of, truth_of
from benchloom.device.items.item_types import dates_of
from benchloom.device.items.properties import property_of
from benchloom.device.settings import Device

GUIDE = "https://support.apple.com/guide/shortcuts"
"""Apple's guide; a page is `{GUIDE}/ID/ios` or `{GUIDE}-mac/ID/mac`."""
GUESS = "guess"
"""The source of an action that Apple describes nowhere in enough detail."""
ANSWER: Content = (MadeAnswer(("answer 0",)),)
"""The first answer of a run in which nobody answers."""
_INPUTS: tuple[Content, ...] = ((), ("x",), (1, 2))
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class Runner(Scope, Protocol):
    """The part of a run that its steps may use."""

    device: Device
    variables: dict[str, Content]

    def effect(self, kind: str, details: dict[str, object]) -> None:
        """Log an effect."""
        ...

    def ask(self, prompt: str, choices: tuple[str, ...] = ()) -> tuple[Content, bool]:
        """Return the answer to this step's question, and whether it is made."""
        ...

    def run_other(self, name: str, content: Content) -> Content:
        """Run another shortcut and return its output."""
        ...


class Call:
    """One step: its arguments, its input, and the device."""

    def __init__(self, run: Runner, arguments: Mapping[str, Template], previous: Content) -> None:
        self.run = run
        self.device = run.device
        self.previous = previous
        self._arguments = arguments

    def has(self, name: str) -> bool:
        """Whether an argument is in the file."""
        return name in self._arguments

    def content(self, name: str) -> Content:
        """Return an argument as content; nothing if it is not in the file."""
        template = self._arguments.get(name)
        return () if template is None else template(self.run)

    def input(self, name: str = "WFInput") -> Content:
        """Return the input: the argument, or the previous output if the argument is missing.

        Files of clients before 1000 leave the input out everywhere. Later files that leave it
        out were mostly written by compilers, which count on the same rule (a guess).
        """
        template = self._arguments.get(name)
        return self.previous if template is None else template(self.run)

    def text(self, name: str, default: str = "") -> str:
        """Return an argument as text."""
        return content_text(self.content(name)) if self.has(name) else default

    def number(self, name: str, default: float = 0) -> int | float:
        """Return an argument as a number.

        Raises:
            ActionError: it is not a number.
        """
        content = self.content(name)
        if not content or content == ("",):
            return default
        number = number_of(content[0])
        if number is None:
            raise ActionError(f"{name} is not a number: {text_of(content[0])[:60]!r}")
        return number

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return an argument as a boolean."""
        return truth_of(as_one_item(self.content(name))) if self.has(name) else default

    def quantity(self, name: str) -> tuple[int | float, str]:
        """Return an argument's magnitude and unit."""
        content = self.content(name)
        if len(content) < 2:
            raise ActionError(f"{name} has no magnitude and unit")
        return number_of(content[0]) or 0, text_of(content[1])

    def dates(self, name: str) -> list[datetime]:
        """Return the dates that an argument is or names."""
        return [date for item in self.content(name) for date in dates_of(item, self.now)]

    def change(
        self,
        effect: str,
        tool: str,
        arguments: Mapping[str, Plain],
        kind: str = "",
        **more: object,
    ) -> Item:
        """Have an app of the everyday world do something, which is an effect.

        If the app refuses, nothing changes. The effect says why: the rules of the real app differ
        (two reminders may have one title), so the shortcut goes on. Arguments that are None are
        left out; `more` are details of the effect alone.

        Returns:
            The changed row as an item of `kind`; None if the app refused, or without a kind.
        """
        outcome = self.device.everyday.call(tool, arguments)
        details = {**arguments, **more}
        if outcome.refused is not None:
            details["refused"] = outcome.message
        self.run.effect(effect, {name: part for name, part in details.items() if part is not None})
        if not kind or not isinstance(outcome.result, dict):
            return None
        return self.device.everyday.item(kind, outcome.result[LIBRARIES[kind].key])

    def ask_each(self, question: str, names: Iterable[str], most: int | None = None) -> Content:
        """Ask a question about each name, in its gap; return the items of all answers.

        With `most`, only so many of each answer.
        """
        answers = (self.run.ask(question.format(name))[0] for name in names)
        return tuple(item for answer in answers for item in answer[:most])

    def properties(self, items: Iterable[Item]) -> Content:
        """Return the property that the argument names of each item: its name if none is chosen."""
        name = self.text("WFContentItemPropertyName", "Name")
        return tuple(property_of(item, name) for item in items)

    def request(self, url: str, method: str = "GET") -> Content:
        """Request a URL, which is an effect; the answer is given or made, never fetched."""
        self.run.effect("request", {"url": url, "method": method})
        return self.run.ask(f"{method} {url}")[0]

    @property
    def now(self) -> datetime:
        """The time of the device."""
        return self.device.now


Function: TypeAlias = Callable[[Call], Content]
F = TypeVar("F", bound=Function)


class Example(NamedTuple):
    """An example of an action: parameters, implicit input and output.

    A tuple among the parameters is content, any other value is what a file contains.
    """

    parameters: Mapping[str, object]
    output: Content
    input: Content = ()


PASSED = tuple(Example({}, before, before) for before in _INPUTS)
"""Examples of an action that passes its input on."""


def taking(argument: str, content: Content, output: Content) -> tuple[Example, ...]:
    """Return the examples of an action that takes content as an argument or as its input."""
    return Example({argument: content}, output), Example({}, output, content), Example({}, ())


class ActionOf(NamedTuple):
    """An action of the device: `source` is a page of Apple's, or `GUESS`."""

    identifier: str
    function: Function
    source: str
    examples: tuple[Example, ...]


_MARK = "_benchloom_action"


def action(name: str, *examples: Example, source: str = GUESS) -> Callable[[F], F]:
    """Mark a function as an action; a name without a point after it is a built-in action's."""

    def marked(function: F) -> F:
        earlier_marks = getattr(function, _MARK, ())
        identifier = name if name.count(".") > 2 else SYSTEM_PREFIX + name
        setattr(function, _MARK, (*earlier_marks, ActionOf(identifier, function, source, examples)))
        return function

    return marked


def answered(name: str, question: str, source: str = GUESS, **texts: str) -> Function:
    """Return an action whose output is an answer.

    The gaps of the `question` are arguments of the action; `texts` are their values by default.
    """
    arguments = [{}, {}, {}, *({argument: "a"} for argument in texts)]
    examples = zip(arguments, (*_INPUTS, *((),) * len(texts)), strict=True)

    def answer(call: Call) -> Content:
        return call.run.ask(question.format(**{key: call.text(key, texts[key]) for key in texts}))[
            0
        ]

    answer.__doc__ = f"Return the answer to the question '{question}'."
    cases = (Example(values, ANSWER, before) for values, before in examples)
    return action(name, *cases, source=source)(answer)


def passed_on(
    name: str,
    effect: str = "",
    details: Mapping[str, str] = _NO_TEXTS,
    source: str = GUESS,
    *,
    inputs: Mapping[str, str] = _NO_TEXTS,
    content: str = "",
    **constants: str,
) -> Function:
    """Return an action that logs an effect, if any, and passes its input on.

    Args:
        name: the action.
        effect: the kind of the effect.
        details: details of the effect, and the arguments with their texts.
        source: a page of Apple's, or `GUESS`.
        inputs: as `details`; without the argument, the input of the action is the detail.
        content: the argument with the input, whose items are a detail.
        constants: details that are always the same.
    """
    texts = dict.fromkeys((*inputs.values(), *details.values()), "a")
    examples = [*PASSED]
    examples += [Example(texts, ("x",), ("x",))] if texts else []
    examples += [Example({content: (1, 2)}, (1, 2))] if content else []

    def pass_on(call: Call) -> Content:
        passed = call.input(content) if content else call.previous
        logged: dict[str, object] = {
            **{key: content_text(call.input(argument)) for key, argument in inputs.items()},
            **{key: call.text(argument) for key, argument in details.items()},
            **constants,
        }
        if content:
            logged["items"] = plain(list(passed))
        if effect:
            call.run.effect(effect, logged)
        return passed

    pass_on.__doc__ = (
        f"Log the effect '{effect}' and pass the input on." if effect else "Do nothing."
    )
    return action(name, *examples, source=source)(pass_on)


def actions_of(members: Mapping[str, object]) -> dict[str, ActionOf]:
    """Return the actions that the functions of a module are, by identifier."""
    return {
        marked.identifier: marked
        for member in members.values()
        for marked in getattr(member, _MARK, ())
    }
