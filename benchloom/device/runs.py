"""Run shortcuts on the device, and convert runs to rows of the table `executions`.

Long values are shortened in rows; structured values are JSON texts.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing

import msgspec

from benchloom.core.built_in_actions import built_in
from benchloom.core.identity import tagged_digest
from benchloom.core.records import (
    ExecutedStep,
    ExecutionEffect,
    ExecutionQuestion,
    Shortcut,
)
from benchloom.core.records import (
    Execution as ExecutionRow,
)
from benchloom.device.answers import (
    Answers,
    AnswersFile,
    Draws,
    Question,
    unknown_steps,
)
from benchloom.device.arguments import template_of
from benchloom.device.errors import AnswersError, Meter, ShortcutError
from benchloom.device.interpreter import Interpreter, Log, Trace
from benchloom.device.items import Content, plain
from benchloom.device.program import Step
from benchloom.device.settings import Device, Effect
from benchloom.worlds.everyday.rules import drawn

_MAX_LISTED = 30


class Execution(msgspec.Struct, frozen=True):
    """The result of running a shortcut.

    `outcome` is finished, failed (the app would stop with `message`), unsupported or limit.
    `digest` is a digest of outcome, message, output, effects and state. `trace` lists the executed
    steps.
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
    draws: Draws | None = None,
) -> Execution:
    """Run a shortcut with an input; it can call the shortcuts in `others` by name.

    Questions are answered from `answers`, or else with simulated answers. With `draws`, a
    pseudo-random answer is drawn for each question instead.

    Raises:
        AnswersError: an answer belongs to no step of the shortcuts, or is none of the choices.
    """
    file = answers or AnswersFile()
    if unknown := unknown_steps(file, shortcut, others or {}):
        usable = {key: value for key, value in file.answers.items() if key not in unknown}
        other_answers = msgspec.structs.replace(file, answers=usable)
        actual = run(shortcut, content, answers=other_answers, others=others).questions
        questions = {f"{question.key} ({question.prompt[:40]})" for question in actual}
        raise AnswersError(
            f"answers: unknown step {', '.join(unknown)[:200]}; this run asks: "
            f"{', '.join(sorted(questions)[:_MAX_LISTED]) or 'nothing'}"
        )
    device = Device(file.now, () if file.clipboard is None else (file.clipboard,))
    log = Log(device, Answers(file, draws), dict(others or {}), Meter())
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
    """Run a single action with parameters in the form of shortcut files, and return its output.

    A parameter that is a tuple is content (a list of items), such as that of a variable.
    """
    arguments = {
        name: (lambda _scope, value=value: value)
        if isinstance(value, tuple)
        else template_of(value)
        for name, value in parameters.items()
    }
    step = Step(0, identifier, None, None, arguments)
    log = Log(Device(), Answers(AnswersFile()), {}, Meter())
    with closing(log.device.everyday):
        return Interpreter(log, None, "", content, 0, steps=[step]).go()


MAX_ENTRIES = 100
"""The maximum number of steps, of questions, of effects and of a list's entries in a table row."""
MAX_TEXT = 200
MAX_CHOICES = 30
_TYPING = built_in("ask", "dictatetext", "text.translate", "extracttextfromimage")
_TYPED = (
    *("oat milk", "a walk by the river", "Harbour Street 4", "the blue notebook", "tea with Ada"),
    *("two tickets", "spring cleaning", "call the plumber", "lemon cake", "Skerry"),
)
_ENCODE = msgspec.json.Encoder(order="deterministic").encode


def execution_row(shortcut: Shortcut) -> ExecutionRow:
    """Run a shortcut with simulated answers and return the row of the run."""
    return _row(shortcut, run(shortcut))


def execution_rows(shortcut: Shortcut) -> Iterator[ExecutionRow]:
    """Run a shortcut with several combinations of answers, and yield a row for each run.

    Tasks are made from these rows. The input, the clipboard and the texts that the user types are
    drawn from a short list if the shortcut runs to the end with them, and else simulated. There is
    a run for each of the first `MAX_CHOICES` choices of the first menu or list.
    """
    execution = run(shortcut)
    typed: dict[str, list[object]] = {
        question.key: [_text_of_person(question.prompt, question.key)]
        for question in execution.questions
        if question.identifier in _TYPING and question.answer.startswith("answer ")
    }
    content: tuple[str, ...] = (_text_of_person(shortcut.shortcut_id, "input"),)
    start = AnswersFile(typed, clipboard=_text_of_person(shortcut.shortcut_id, "clipboard"))
    typed_run = run(shortcut, content, answers=start)
    if typed_run.outcome == "finished":
        execution = typed_run
    else:
        content, start = (), AnswersFile()
    yield _row(shortcut, execution)
    menu = next((question for question in execution.questions if question.choices), None)
    if menu is None:
        return
    for choice in range(1, min(len(menu.choices), MAX_CHOICES)):
        answers = {**start.answers, menu.key: [choice]}
        try:
            file = msgspec.structs.replace(start, answers=answers)
            yield _row(shortcut, run(shortcut, content, answers=file))
        except AnswersError:  # the step may later ask again with fewer choices
            continue


def _text_of_person(*parts: str) -> str:
    return _TYPED[drawn(len(_TYPED), *parts)]


def _row(shortcut: Shortcut, execution: Execution) -> ExecutionRow:
    return ExecutionRow(
        shortcut_id=shortcut.shortcut_id,
        source_digest=shortcut.source_digest,
        source_uri=shortcut.source_uri,
        split=shortcut.split,
        execution_id=execution.digest,
        outcome=execution.outcome,
        reason=execution.message[:MAX_TEXT],
        steps=execution.steps,
        trace=tuple(
            ExecutedStep(trace.step, trace.shortcut, trace.identifier, trace.output)
            for trace in execution.trace[:MAX_ENTRIES]
        ),
        questions=tuple(
            ExecutionQuestion(
                question.step,
                question.shortcut,
                question.prompt,
                tuple(choice[:MAX_TEXT] for choice in question.choices),
                question.answer,
            )
            for question in execution.questions[:MAX_ENTRIES]
        ),
        effects=tuple(
            ExecutionEffect(effect.step, effect.kind, _json(effect.details))
            for effect in execution.effects[:MAX_ENTRIES]
        ),
        output=_json(execution.output),
        everyday=str(execution.state["everyday"]) or None,
    )


def _json(value: object) -> str:
    return _ENCODE(_shortened(value)).decode()


def _shortened(value: object) -> object:
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if isinstance(value, dict):
        parts = list(value.items())[:MAX_ENTRIES]
        return {str(name)[:MAX_TEXT]: _shortened(part) for name, part in parts}
    if isinstance(value, list | tuple):
        return [_shortened(part) for part in value[:MAX_ENTRIES]]
    return value
