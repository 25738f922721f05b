"""`benchloom parse shortcuts INPUT... --out DIR`."""

import time
from functools import partial
from typing import Annotated

import typer

from flows.commands._help import exit_codes
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Inputs,
    Json,
    Out,
    Strict,
    Workers,
    Workspace,
    finish_stage_command,
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
    """Read shortcut files in every container, signed ones too.

    Examples:
        benchloom parse shortcuts shortcuts.zip --out parsed
        benchloom parse shortcuts shortcuts.zip --out parsed --workers 2
    """
    from flows.run.processes.server import start_early

    start_early(workers, "flows.stages.shortcuts.parse")
    from flows.run.runner import run_to_folder
    from flows.stages.shortcuts.parse import STAGE, prepare
    from scrapers.mirrors.inputs import read_here

    start = time.perf_counter()
    with read_here(inputs, workspace) as paths:
        stage_in = partial(prepare, paths, with_cross_check=cross_check, fixed=True)
        stage = run_to_folder(STAGE, out, stage_in, workers=workers)
    finish_stage_command("parse shortcuts", stage, start, as_json=json, strict=strict)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom parse`."""
    parents["parse"].command(
        "shortcuts",
        epilog=exit_codes(one="nothing was read; or --strict, and something was rejected"),
    )(parse_shortcuts)
