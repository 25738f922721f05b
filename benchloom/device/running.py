"""Run a shortcut on the device, and what a run gives."""

from collections.abc import Mapping
from contextlib import closing

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records import Shortcut
from benchloom.device.answers import (
    Answers,
    AnswersFile,
    Draws,
    Question,
    unknown_steps,
)
from benchloom.device.arguments import template_of
from benchloom.device.errors import AnswersError, ShortcutError
from benchloom.device.interpreter import Interpreter, Log, Trace
from benchloom.device.items.content import Content, plain
from benchloom.device.limits import Limits, Meter
from benchloom.device.program import Step
from benchloom.device.settings import Device, Effect

_MAX_LISTED = 30


class Execution(msgspec.Struct, frozen=True):
    """The result of a run.

    `outcome` is finished, failed (the app would stop with `message`), unsupported or limit.
    `digest` is that of outcome, output, effects and state; equal inputs have equal digests.
    """

    outcome: str
    message: str
    output: tuple[object, ...]
    steps: int
    effects: tuple[Effect, ...]
    questions: tuple[Question, ...]
    state: dict[str, object]
    trace: tuple[Trace, ...]
    digest: str


def run(
    shortcut: Shortcut,
    content: Content = (),
    *,
    answers: AnswersFile | None = None,
    others: Mapping[str, Shortcut] | None = None,
    limits: Limits | None = None,
    draws: Draws | None = None,
) -> Execution:
    """Run a shortcut with an input; `others` are shortcuts that it can run, by name.

    With `draws`, the answers are drawn by the words of the questions.

    Raises:
        AnswersError: an answer is for no step of them, or is none of the choices.
    """
    file = answers or AnswersFile()
    if unknown := unknown_steps(file, shortcut, others or {}):
        usable = {key: value for key, value in file.answers.items() if key not in unknown}
        rest = msgspec.structs.replace(file, answers=usable)
        actual = run(shortcut, content, answers=rest, others=others, limits=limits).questions
        questions = {f"{question.key} ({question.prompt[:40]})" for question in actual}
        raise AnswersError(
            f"answers: no step is called {', '.join(unknown)[:200]}; this run asks: "
            f"{', '.join(sorted(questions)[:_MAX_LISTED]) or 'nothing'}"
        )
    device = Device(file.now, () if file.clipboard is None else (file.clipboard,))
    log = Log(device, Answers(file, draws), dict(others or {}), Meter(limits or Limits()))
    outcome, message = "finished", ""
    output: Content = ()
    with closing(device.everyday):
        try:
            output = Interpreter(log, shortcut, "", content, 0).go()
        except ShortcutError as error:
            outcome, message = error.outcome, str(error)
        except RecursionError:
            outcome, message = "limit", "values are nested too deeply"
        state = device.state()
    plain_output = tuple(plain(item) for item in output)
    payload = msgspec.json.encode(
        [outcome, message, plain_output, log.effects, state], order="sorted"
    )
    return Execution(
        outcome,
        message,
        plain_output,
        log.meter.steps,
        tuple(log.effects),
        tuple(log.questions),
        state,
        tuple(log.trace),
        tagged_digest("execution", payload),
    )


def run_action(identifier: str, parameters: Mapping[str, object], content: Content = ()) -> Content:
    """Run one action with parameters; a tuple among them is content, others are as in files."""
    arguments = {
        name: (lambda _scope, value=value: value)
        if isinstance(value, tuple)
        else template_of(value)
        for name, value in parameters.items()
    }
    step = Step(0, identifier, None, None, arguments)
    log = Log(Device(), Answers(AnswersFile()), {}, Meter(Limits()))
    with closing(log.device.everyday):
        return Interpreter(log, None, "", content, 0, steps=[step]).go()
