"""The command `benchloom import FORMAT`: it imports a published dataset."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from benchloom.core.errors import GateError
from flows.commands._help import Commands
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Inputs,
    Json,
    Out,
    Summary,
    Workspace,
    finish_stage,
)

if TYPE_CHECKING:
    from flows.stages.imports import SetImport

GROUP = Commands()


def _formats() -> tuple[str, ...]:
    from benchloom.exchange.formats import FORMATS, Reading

    return tuple(FORMATS.only(Reading))


class ImportSummary(Summary, frozen=True, kw_only=True):
    """The summary that `import --json` prints.

    `findings` maps kinds of findings to their numbers. `invalid` counts the examples with findings,
    `others` the files that were skipped because they have another format.
    """

    findings: dict[str, int]
    invalid: int
    examples: int
    states: tuple[str, ...]
    others: int


@GROUP.command(
    "import",
    no_args_is_help=True,
    lists={"Formats": _formats},
    codes={1: "nothing was read; or --strict, and there are findings or rejected rows"},
)
def import_set(
    format_name: Annotated[
        str, Argument(metavar="FORMAT", help="Name of a format, from the list below.")
    ],
    inputs: Inputs,
    out: Out,
    definitions: Annotated[
        list[Path] | None,
        Option(
            metavar="DIR",
            help="Stage or release with API definitions for calls that lack one (repeatable).",
        ),
    ] = None,
    keep_invalid: Annotated[
        bool, Option("--keep-invalid", help="Also keep invalid examples, which have findings.")
    ] = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with 1 if there are findings or rejected rows.")
    ] = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read a published dataset as plans, requests and APIs.

    The examples are checked by the same rules as plans that benchloom makes.

    Examples:
        benchloom import openai chats.jsonl --out imported
        benchloom import jsonl examples.jsonl --out imported --strict
    """
    from flows.run.runner import run_whole
    from flows.stages.imports import ImportOptions, SetImport
    from scrapers.mirrors import read_here

    start = time.perf_counter()
    options = ImportOptions(keep_invalid=keep_invalid, definitions=tuple(definitions or ()))
    with read_here(inputs, workspace) as paths:
        done = SetImport(format_name, paths, options)
        stage = run_whole(done.stage, out)
    summary = ImportSummary(
        command=f"import {format_name}",
        out=str(out),
        objects=stage.objects,
        rows=stage.rows,
        reasons=stage.reasons,
        seconds=round(time.perf_counter() - start, 3),
        findings=done.report.findings,
        invalid=done.report.invalid,
        examples=done.report.examples,
        states=done.states,
        others=done.others,
    )
    finish_stage(summary, stage, _lines(done), as_json=json)
    if strict and (done.report.invalid or stage.reasons):
        raise GateError(
            f"--strict: {done.report.invalid} of {done.report.examples} examples have findings, "
            f"{sum(stage.reasons.values())} records or files were rejected; see the rejected rows"
        )


def _lines(done: "SetImport") -> list[str]:
    report = done.report
    lines = [f"  {report.invalid} of {report.examples} examples have findings"]
    lines += [f"  found {count}: {kind}" for kind, count in report.findings.items()]
    if "no_definitions" in done.states:
        lines.append("  the set defines no API, so no call was checked: pass --definitions DIR")
    if done.others:
        lines.append(f"  {done.others} files have another format and were not read")
    return lines
