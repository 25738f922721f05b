"""`benchloom device run`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands._help import exit_codes
from flows.commands.options import Json, finish

if TYPE_CHECKING:
    from benchloom.device.running import Execution


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A shortcut, in any container.")],
    answers: Annotated[
        Path | None,
        typer.Option("--answers", metavar="FILE", help="JSON with answers by number of step."),
    ] = None,
    input_text: Annotated[
        str | None, typer.Option("--input", metavar="TEXT", help="Input of the shortcut.")
    ] = None,
    others: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="FILE", help="Another shortcut that it can run by name."),
    ] = None,
    json: Json = False,
) -> None:
    """Run a shortcut on a simulated device.

    Nothing reaches the network or this machine's disk. Answers that are not in the file are made:
    the first entry of a menu, or a value of the type that later steps read.

    Examples:
        benchloom device run tea.shortcut
        benchloom device run tea.shortcut --input "two cups" --json
    """
    from benchloom.core.errors import BenchloomError, GateError
    from benchloom.device.answers import read_answers
    from benchloom.device.running import run as run_shortcut
    from flows.library import parse

    shortcut = parse(file)
    library = {path.stem: parse(path) for path in others or ()}
    answer_file = None if answers is None else read_answers(answers.read_bytes(), shortcut)
    content = () if input_text is None else (input_text,)
    execution = run_shortcut(shortcut, content, answers=answer_file, others=library)
    finish(execution, _lines(execution), as_json=json)
    if execution.outcome != "finished":
        error: BenchloomError = GateError(f"{execution.outcome}: {execution.message}")
        raise error


def _lines(execution: "Execution") -> list[str]:
    """The run for people: a line for each step, question and effect, then the result."""
    from benchloom.core.built_in_actions import SYSTEM_PREFIX

    lines = [
        f"{trace.shortcut + ' ' if trace.shortcut else ''}{trace.step} "
        f"{trace.identifier.removeprefix(SYSTEM_PREFIX)}: {_short(trace.output)}"
        for trace in execution.trace
    ]
    for question in execution.questions:
        made = " (made)" if question.made else ""
        lines.append(
            f"asked at {question.step}: {_short(question.prompt)} -> {question.answer}{made}"
        )
    for effect in execution.effects:
        told = ", ".join(f"{name} {value!r}" for name, value in effect.details.items())
        lines.append(f"effect at {effect.step}: {effect.kind}: {_short(told)}")
    lines.append(f"{execution.outcome} after {execution.steps} steps, {execution.digest}")
    return lines


def _short(text: str) -> str:
    return " ".join(text.split())[:120]


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom device`."""
    del app
    parents["device"].command(
        "run",
        no_args_is_help=True,
        epilog=exit_codes(one="the shortcut did not run to its end"),
    )(run)
