"""The commands `benchloom device ...`, which run and compare shortcuts on a simulated device."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from benchloom.core.errors import GateError, NothingReadError, RejectedInputError
from flows.commands._help import Commands
from flows.commands.options import Json, finish

if TYPE_CHECKING:
    from benchloom.device.coverage import Coverage
    from benchloom.device.runs import Execution

GROUP = Commands(
    """Run shortcuts on a simulated device.

    Examples:
        benchloom device run tea.shortcut
        benchloom device coverage shortcuts.zip
    """
)


_LISTED = 20


@GROUP.command("run", no_args_is_help=True, codes={1: "the shortcut did not run to its end"})
def run(
    file: Annotated[Path, Argument(metavar="FILE", help="Shortcut file of any format.")],
    answers: Annotated[
        Path | None,
        Option(metavar="FILE", help="JSON file with answers to questions, by step number."),
    ] = None,
    input_text: Annotated[
        str | None, Option("--input", metavar="TEXT", help="Input of the shortcut.")
    ] = None,
    others: Annotated[
        list[Path] | None,
        Option(
            "--with",
            metavar="FILE",
            help="Another shortcut that FILE can run by name (repeatable).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Run a shortcut on a simulated device.

    The run uses neither the network nor the disk. If --answers lacks an answer, the device chooses
    the first entry of a menu, or makes up a value of the type that later steps read.

    Examples:
        benchloom device run tea.shortcut
        benchloom device run tea.shortcut --input "two cups" --json
    """
    from flows.library import run_shortcut

    try:
        execution = run_shortcut(file, answers=answers, input=input_text, others=others or ())
    except RejectedInputError as error:
        raise NothingReadError(f"{error.message}; pass the file of a shortcut") from error
    finish(execution, _lines(execution), as_json=json)
    if execution.outcome != "finished":
        raise GateError(
            f"{execution.outcome} at step {execution.steps}: {execution.message}; "
            "'device run --json' shows every step"
        )


@GROUP.command(
    "compare",
    no_args_is_help=True,
    codes={1: "the shortcuts differ, or the device cannot run one of them"},
)
def compare(
    first: Annotated[Path, Argument(metavar="A", help="Shortcut file of any format.")],
    second: Annotated[Path, Argument(metavar="B", help="The shortcut file to compare with A.")],
    json: Json = False,
) -> None:
    """Compare the effects of two shortcuts on a simulated device.

    Both run up to 64 times, each time with another input, clipboard, clock and answers. These are
    mostly made from texts and numbers in the two shortcuts. The command prints that the effects are
    the same, or it prints the first difference.

    Examples:
        benchloom device compare tea.shortcut shared-tea.shortcut
        benchloom device compare tea.shortcut shared-tea.shortcut --json
    """
    from flows.library import compare_shortcuts

    try:
        comparison = compare_shortcuts(first, second)
    except RejectedInputError as error:
        raise NothingReadError(f"{error.message}; pass the file of a shortcut") from error
    finish(comparison, [f"{comparison.verdict}: {comparison.sentence}"], as_json=json)
    if comparison.verdict != "equal":
        raise GateError(f"{first.name} and {second.name}: {comparison.verdict}")


@GROUP.command("conformance", codes={1: "a result differs from the expected result"})
def conformance(
    results: Annotated[
        Path | None,
        Argument(
            metavar="[RESULTS]",
            help="JSON file with results; if absent, the simulated device runs the cases.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Write the test cases to this folder, for a Mac or another program to run.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compare an implementation's outputs for shortcuts with the expected outputs.

    The cases are 40 shortcuts that check their own results, and examples of the actions. --out
    writes the cases and describes the format of the file RESULTS.

    Examples:
        benchloom device conformance
        benchloom device conformance --out kit
    """
    from benchloom.device.conformance.kit import (
        compare_results,
        own_results,
        read_results,
        write_kit,
    )
    from parsers.shortcuts import parse_shortcut

    if out is not None:
        write_kit(out)
    parse = partial(parse_shortcut, source_uri="kit")
    result = compare_results(read_results(results) if results else own_results(parse))
    lines = [f"{result.equal} of {result.cases} cases equal the expected output: {result.system}"]
    lines += [f"  {result.missing} without a result"] if result.missing else []
    lines += [
        f"  {case.name}: {_short(str([*case.output]))}, expected {_short(str([*case.expected]))}"
        for case in result.differences[:_LISTED]
    ]
    more = len(result.differences) - _LISTED
    lines += [f"  and {more} more; --json lists all"] if more > 0 else []
    finish(result, lines, as_json=json)
    if result.differences:
        raise GateError(
            f"the output of {len(result.differences)} cases differs from the expected output"
        )


@GROUP.command(
    "coverage", no_args_is_help=True, codes={1: "the inputs contain no shortcut with actions"}
)
def coverage(
    paths: Annotated[
        list[Path], Argument(metavar="PATH...", help="Shortcut files, folders or archives.")
    ],
    json: Json = False,
) -> None:
    """Count how many shortcuts the simulated device can run.

    The command prints how many shortcuts have only known actions, how many of them run to their end
    with made-up answers, and why the others stop. It then lists the missing actions, beginning with
    those that would complete the most shortcuts.

    Examples:
        benchloom device coverage shortcuts.zip
        benchloom device coverage shortcuts.zip --json
    """
    from collections import Counter

    from benchloom.device.coverage import coverage_of
    from benchloom.storage.inputs import each_object
    from parsers.shortcuts import parse_shortcut

    shortcuts, unreadable = [], Counter[str]()
    for source in each_object(paths):
        try:
            shortcuts.append(parse_shortcut(source.read(), source.source_uri))
        except RejectedInputError as error:
            unreadable[error.reason] += 1
    result = coverage_of(shortcuts, dict(unreadable))
    if not result.shortcuts:
        reasons = ", ".join(f"{count} {reason}" for reason, count in unreadable.most_common())
        raise NothingReadError(
            f"the inputs contain no shortcut with actions ({reasons or 'no action'}); pass other "
            f"inputs"
        )
    finish(result, _coverage_lines(result), as_json=json)


def _coverage_lines(result: "Coverage") -> list[str]:
    from benchloom.core.built_in_actions import SYSTEM_PREFIX

    def share(count: int) -> str:
        return f"{count} ({100 * count / result.shortcuts:.1f} %)"

    covered, ended = share(result.covered), share(result.ended)
    known = f"{covered} have only known actions, {ended} run to their end"
    lines = [f"{result.shortcuts} distinct shortcuts: {known}"]
    lines += [f"  {count} unreadable: {reason}" for reason, count in result.unreadable.items()]
    reasons = list(result.reasons.items())
    lines += [f"  {count} stop early: {_short(reason)}" for reason, count in reasons[:_LISTED]]
    lines += [f"  and {len(reasons) - _LISTED} more reasons"] if len(reasons) > _LISTED else []
    if result.next:
        lines.append("actions to add next, in this order:")
    lines += [
        f"  {action.identifier.removeprefix(SYSTEM_PREFIX)}: in {action.shortcuts} shortcuts, "
        f"would complete {action.unlocks} more, {action.covered} in total"
        for action in result.next[:_LISTED]
    ]
    more = len(result.next) - _LISTED
    lines += [f"  and {more} more; --json lists all"] if more > 0 else []
    return lines


def _lines(execution: "Execution") -> list[str]:
    from benchloom.core.built_in_actions import SYSTEM_PREFIX

    lines = [
        f"{trace.shortcut + ' ' if trace.shortcut else ''}{trace.step} "
        f"{trace.identifier.removeprefix(SYSTEM_PREFIX)}: {_short(trace.output)}"
        for trace in execution.trace
    ]
    for question in execution.questions:
        mark = " (made up)" if question.made else ""
        lines.append(
            f"asked at {question.key}: {_short(question.prompt)} -> {question.answer}{mark}"
        )
    for effect in execution.effects:
        details = ", ".join(f"{name} {value!r}" for name, value in effect.details.items())
        lines.append(f"effect at {effect.step}: {effect.kind}: {_short(details)}")
    lines.append(f"{execution.outcome} after {execution.steps} steps, {execution.digest}")
    return lines


def _short(text: str) -> str:
    return " ".join(text.split())[:120]
