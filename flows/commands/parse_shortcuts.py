"""`benchloom parse shortcuts INPUT... --out DIR`."""

import time
from typing import Annotated

import typer

from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Inputs,
    Json,
    Out,
    Strict,
    Summary,
    Workers,
    Workspace,
    finish,
    summary_lines,
)


def parse_shortcuts(
    inputs: Inputs,
    out: Out,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Read binary files a second time with biplist.")
    ] = False,
    strict: Strict = False,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read shortcut files in every container, signed ones included, one row per object."""
    from benchloom.errors import GateError
    from flows.progress import Progress
    from flows.stages.parse_shortcuts import parse_to_folder

    start = time.perf_counter()
    with Progress("parse shortcuts") as progress:
        mark = parse_to_folder(
            inputs, out, workers=workers, with_cross_check=cross_check, progress=progress
        )
    summary = Summary(
        command="parse shortcuts",
        out=str(out),
        objects=mark.objects,
        rows=mark.rows,
        reasons=mark.reasons,
        seconds=round(time.perf_counter() - start, 3),
    )
    finish(summary, summary_lines(summary), as_json=json)
    if strict and mark.reasons:
        raise GateError(f"--strict: {sum(mark.reasons.values())} objects were rejected")


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom parse`."""
    parents["parse"].command("shortcuts")(parse_shortcuts)
