"""`benchloom parse definitions INPUT... --out DIR`."""

import time
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

AppOption = Annotated[
    str | None,
    typer.Option("--app", metavar="ID", help="App of definition files that are in no bundle."),
]


def parse_definitions(
    inputs: Inputs,
    out: Out,
    app: AppOption = None,
    strict: Strict = False,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read API definitions: .ipa, .app, single files, folders, zips.

    Formats: ToolKit databases, App Intents metadata, SiriKit intent definitions, WFActions. A Mac
    keeps those of all its apps in ~/Library/Shortcuts/ToolKit/Tools-active: copy it first with
    `sqlite3 ~/Library/Shortcuts/ToolKit/Tools-active '.backup Tools-mac.sqlite'`.

    Examples:
        benchloom parse definitions Tools-mac.sqlite --out definitions
        benchloom parse definitions apps/ --out definitions
    """
    from flows.run.runner import run_whole
    from flows.stages.definitions.parse import prepare_catalogue
    from scrapers.mirrors.inputs import read_here

    start = time.perf_counter()
    with read_here(inputs, workspace) as paths:
        stage = run_whole(prepare_catalogue(paths, app, workers), out)
    finish_stage_command("parse definitions", stage, start, as_json=json, strict=strict)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom parse`."""
    parents["parse"].command(
        "definitions",
        epilog=exit_codes(one="nothing was read; or --strict, and something was rejected"),
    )(parse_definitions)
