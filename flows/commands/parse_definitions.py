"""`benchloom parse definitions INPUT... --out DIR`."""

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

AppOption = Annotated[
    str | None,
    typer.Option("--app", metavar="ID", help="App of definition files that stand in no bundle."),
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
    r"""Read API definitions: app bundles (.ipa, .app), single files, folders, zips of any of these.

    Formats: ToolKit databases, App Intents metadata, SiriKit intent definitions, WFActions.

    \b
    A Mac keeps the definitions of all its apps in ~/Library/Shortcuts/ToolKit/Tools-active.
    Copy it: sqlite3 ~/Library/Shortcuts/ToolKit/Tools-active "VACUUM INTO 'Tools-mac.sqlite'"
    Then run: benchloom parse definitions Tools-mac.sqlite --out definitions
    """
    from benchloom.errors import GateError
    from flows.progress import Progress
    from flows.stages.parse_definitions import parse_to_folder

    start = time.perf_counter()
    with Progress("parse definitions") as progress:
        mark = parse_to_folder(inputs, out, app=app, workers=workers, progress=progress)
    summary = Summary(
        command="parse definitions",
        out=str(out),
        objects=mark.objects,
        rows=mark.rows,
        reasons=mark.reasons,
        seconds=round(time.perf_counter() - start, 3),
    )
    finish(summary, summary_lines(summary), as_json=json)
    if strict and mark.reasons:
        raise GateError(f"--strict: {sum(mark.reasons.values())} objects or parts were rejected")


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom parse`."""
    parents["parse"].command("definitions")(parse_definitions)
