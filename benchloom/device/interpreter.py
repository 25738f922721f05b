"""Execute a shortcut step by step, with control flow, variables, outputs and a log."""

from typing import cast

import msgspec

from benchloom.core.built_in_actions import (
    CONDITIONAL,
    MENU,
    REPEAT_COUNT,
    REPEAT_EACH,
    built_in,
)
from benchloom.core.records import Shortcut
from benchloom.device.actions import all_actions
from benchloom.device.answers import (
    ITSELF,
    Answers,
    Question,
    answer_key,
)
from benchloom.device.call import Call
from benchloom.device.conditions import is_true
from benchloom.device.errors import (
    MAX_DEPTH,
    MAX_TRACE,
    AnswersError,
    LimitError,
    Meter,
    UnsupportedError,
)
from benchloom.device.items import (
    ITEM,
    AppItem,
    Content,
    Item,
    MadeAnswer,
    pruned,
    size_of,
    spread,
)
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.program import Step, program_of
from benchloom.device.settings import DETAILS, Device, Effect

_MAX_SHOWN = 200
_MAX_LISTED = 30
_ENDINGS = built_in("exit", "output")


class Trace(msgspec.Struct, frozen=True):
    """An executed step; `shortcut` is "" for the main shortcut, and `output` is shortened text."""

    step: int
    identifier: str
    output: str
    shortcut: str = ""


class Log:
    """The device, the answers and the logs that a shortcut shares with the shortcuts it runs."""

    def __init__(
        self, device: Device, answers: Answers, others: dict[str, Shortcut], meter: Meter
    ) -> None:
        self.device, self.answers, self.others, self.meter = device, answers, others, meter
        self.effects: list[Effect] = []
        self.questions: list[Question] = []
        self.trace: list[Trace] = []


class _Loop(msgspec.Struct):
    opener: int
    items: Content
    count: int
    turn: int
    results: list[Item]


class Interpreter:
    """A running shortcut, which the functions of its actions read and change through a `Call`."""

    def __init__(
        self,
        log: Log,
        shortcut: Shortcut | None,
        name: str,
        content: Content,
        depth: int,
        *,
        steps: list[Step] | None = None,
    ) -> None:
        if depth > MAX_DEPTH:
            raise LimitError(f"shortcuts run each other more than {MAX_DEPTH} levels deep")
        self.device = log.device
        self.variables: dict[str, Content] = {}
        self._log, self._name, self._input, self._depth = log, name, content, depth
        self._steps = program_of(shortcut) if shortcut is not None else steps or []
        self._shortcut = shortcut
        self._outputs: dict[str, Content] = {}
        self._previous = content
        self._here = 0
        self._loops: list[_Loop] = []
        self._entries: dict[int, Content] = {}

    def go(self) -> Content:
        """Run all steps; return the output of the step that ends the shortcut, or the last output.

        Raises:
            ShortcutError: an action fails, the device lacks it, or the run reaches a limit.
        """
        actions, meter = all_actions(), self._log.meter
        while self._here < len(self._steps):
            step = self._steps[self._here]
            meter.step()
            if step.control is not None:
                self._here = self._controlled(step)
                continue
            if step.identifier in _ENDINGS:
                call = Call(self, step.arguments, self._previous)
                output = call.input("WFOutput" if "WFOutput" in step.arguments else "WFResult")
                self._traced(step, output)
                return output
            action = actions.get(step.identifier)
            if action is None:
                self._traced(step, ())
                name = step.identifier or "without an identifier"
                raise UnsupportedError(f"unsupported action {name} at step {step.index}")
            try:
                output = action(Call(self, step.arguments, self._previous))
            except UnsupportedError as error:
                raise UnsupportedError(f"{error} at step {step.index}") from error
            if output is not self._previous:
                meter.use(size_of(output))
            self._keep(step, output)
            self._here += 1
        return self._previous

    def _keep(self, step: Step, output: Content) -> None:
        if step.uuid is not None:
            self._outputs[step.uuid] = output
        self._previous = output
        self._traced(step, output)

    def _traced(self, step: Step, output: Content) -> None:
        if len(self._log.trace) < MAX_TRACE:
            first = tuple(pruned(item, _MAX_SHOWN) for item in output[:20])
            output_text = content_text(first)[:_MAX_SHOWN]
            self._log.trace.append(Trace(step.index, step.identifier, output_text, self._name))

    def _controlled(self, step: Step) -> int:
        if step.control == "open":
            self._entries[step.index] = self._previous
            if step.identifier == CONDITIONAL:
                return self._if(step)
            return self._menu(step) if step.identifier == MENU else self._repeat(step)
        owner = self._steps[step.owner]
        if step.control == "branch":
            return owner.end  # end of a branch
        if owner.identifier in (REPEAT_COUNT, REPEAT_EACH):
            return self._again(step)
        self._keep(step, self._previous)
        return step.index + 1

    def _if(self, step: Step) -> int:
        call = Call(self, step.arguments, self._previous)
        holds = is_true(call)
        self._entries[step.index] = self._previous = call.input()
        self._traced(step, (holds,))
        if holds:
            return step.index + 1
        return step.branches[0] + 1 if step.branches else self._past(step)

    def _past(self, step: Step) -> int:
        # The closing step is executed, unless the file lacks it.
        return step.end if self._steps[step.end].owner == step.index else step.end + 1

    def _menu(self, step: Step) -> int:
        call = Call(self, step.arguments, self._previous)
        titles = tuple(
            Call(self, self._steps[branch].arguments, ()).text("WFMenuItemTitle")
            for branch in step.branches
        )
        if not titles:
            return self._past(step)
        answer, _ = self.ask(call.text("WFMenuPrompt"), titles)
        position = answer[0] if answer else None
        if type(position) is not int:
            raise self._no_choice("nothing", titles)
        self._traced(step, (titles[position],))
        return step.branches[position] + 1

    def _repeat(self, step: Step) -> int:
        call = Call(self, step.arguments, self._previous)
        if step.identifier == REPEAT_EACH:
            items = expanded(call.input())
            count = len(items)
        else:
            items, count = (), int(min(max(call.number("WFRepeatCount", 1), 0), 2**31))
        self._traced(step, (count,))
        loop = _Loop(step.index, items, count, 0, [])
        if not count:
            self._previous = ()
            return step.end + 1
        self._loops.append(loop)
        self._begin(loop)
        return step.index + 1

    def _begin(self, loop: _Loop) -> None:
        number = f" {len(self._loops)}" if len(self._loops) > 1 else ""
        self.variables[f"Repeat Index{number}"] = (loop.turn + 1,)
        if loop.items:
            self.variables[f"Repeat Item{number}"] = (loop.items[loop.turn],)
            self._previous = (loop.items[loop.turn],)
        else:
            self._previous = self._entries[loop.opener]

    def _again(self, step: Step) -> int:
        while self._loops and self._loops[-1].opener != step.owner:
            self._loops.pop()
        if not self._loops:
            return step.index + 1
        loop = self._loops[-1]
        loop.results += self._previous
        loop.turn += 1
        if loop.turn < loop.count:
            self._log.meter.use(len(self._previous))
            self._begin(loop)
            return loop.opener + 1
        self._loops.pop()
        self._keep(step, tuple(loop.results))
        return step.index + 1

    def output(self, uuid: str) -> Content:
        """Return the latest output of the action with a UUID, or no items if it has not run."""
        return self._read(self._outputs.get(uuid, ()))

    def variable(self, name: str) -> Content:
        """Return the content of a variable, or no items if the variable is not set."""
        return self._read(self.variables.get(name, ()))

    def special(self, kind: str) -> Content:
        """Return the value of a token, which represents a value of the run in an argument.

        `kind` selects the value: the clipboard, the current date, the details of the device, the
        input of the shortcut, the previous output, or the answer to a question.

        Raises:
            UnsupportedError: the kind of token is unknown.
        """
        match kind:
            case "Input":
                return self._read(self._previous)
            case "ExtensionInput":
                return self._read(self._input)
            case "Clipboard":
                return self._read(self.device.clipboard)
            case "CurrentDate":
                return (self.device.now,)
            case "DeviceDetails":
                return (AppItem("device", str(DETAILS["Device Name"]), DETAILS),)
            case "Ask":
                return self.ask("Ask Each Time")[0]
        raise UnsupportedError(f"unsupported token {kind}")

    def _read(self, content: Content) -> Content:
        first = content[0] if len(content) == 1 else None
        self._log.meter.read(len(first) if isinstance(first, str) else ITEM * len(content))
        return content

    def effect(self, kind: str, details: dict[str, object]) -> None:
        """Log an effect of the current step."""
        self._log.meter.use(size_of(cast("Content", tuple(details.values()))))
        self._log.effects.append(Effect(self._here, kind, details))

    def ask(self, prompt: str, choices: tuple[str, ...] = ()) -> tuple[Content, bool]:
        """Return the answer to a question of the current step, and whether it is simulated.

        With `choices`, the answer consists of positions in the choices.
        """
        answer, is_made = self._log.answers.next(self._name, self._here, prompt, len(choices))
        if choices and not is_made:
            answer = tuple(self._position(item, choices) for item in answer)
        first = answer[0] if answer else None
        if choices and type(first) is int:
            first = choices[first]
        if len(self._log.questions) < MAX_TRACE:
            identifier = self._steps[self._here].identifier
            answer_text = text_of(first)[:_MAX_SHOWN]
            question = Question(
                self._here,
                identifier,
                prompt[:_MAX_SHOWN],
                answer_text,
                choices[:50],
                is_made,
                self._name,
            )
            self._log.questions.append(question)
        return answer, is_made

    def _position(self, answer: Item, choices: tuple[str, ...]) -> int:
        text = text_of(answer)
        if text in choices:
            return choices.index(text)
        if type(answer) is int and 0 <= answer < len(choices):
            return answer
        raise self._no_choice(repr(text[:60]), choices)

    def _no_choice(self, answer: str, choices: tuple[str, ...]) -> AnswersError:
        listed = ", ".join(repr(choice[:60]) for choice in choices[:_MAX_LISTED])
        more = ", ..." if len(choices) > _MAX_LISTED else ""
        key = answer_key(self._name, self._here)
        return AnswersError(f"answers: step {key} cannot choose {answer}; choose {listed}{more}")

    def run_other(self, name: str, content: Content) -> Content:
        """Run another shortcut and return its output; if it is missing, ask for the output."""
        shortcut = self._log.others.get(name)
        caller = self._shortcut
        if caller is not None and name in ("", self._name, caller.name):
            shortcut, name = caller, self._name or caller.name or ITSELF
        if shortcut is None:
            return self.ask(f"Output of the shortcut {name}")[0]
        return Interpreter(self._log, shortcut, name, content, self._depth + 1).go()


def expanded(content: Content) -> Content:
    """Return the items over which Repeat with Each iterates; a simulated answer has two items."""
    if len(content) == 1:
        first = content[0]
        if isinstance(first, MadeAnswer):
            return tuple(first.part(str(number)) for number in (1, 2))
        if isinstance(first, list):
            return spread(first)
    return content
