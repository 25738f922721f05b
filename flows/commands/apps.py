"""The command `benchloom apps`: it lists apps whose definitions are missing, and fetches them."""

from pathlib import Path
from typing import Annotated

from typer import Option

from benchloom.core.errors import RunError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

GROUP = Commands()


@GROUP.command("apps")
def apps(
    shortcuts: Annotated[
        Path | None, Option(metavar="DIR", help="Folder with a shortcuts table.")
    ] = None,
    definitions: Annotated[
        Path | None, Option(metavar="DIR", help="Folder with an api_definitions table.")
    ] = None,
    limit: Annotated[int, Option(min=1, help="Maximum number of apps to list.")] = 20,
    fetch: Annotated[int, Option(min=0, help="Download the first N apps with ipatool.")] = 0,
    out: Annotated[Path | None, Option(metavar="DIR", help="Folder for downloads.")] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """List the apps whose definitions are missing.

    The apps whose definitions would complete the most shortcuts come first. By default the newest
    tables of the workspace are read. Mark apps as paid, legacy or unavailable in apps.toml in the
    workspace.

    Examples:
        benchloom apps --limit 5
        benchloom apps --json > apps.json
    """
    from benchloom.normalise.definitions.app_table import (
        DEFINITION_STAGES,
        FILE_NAME,
        SHORTCUT_STAGES,
        missing_apps,
        newest_stage,
        rank_apps,
    )
    from scrapers.apps.ipatool import (
        AppsReport,
        FetchedApp,
        fetch_apps,
        find_ipatool,
        report_lines,
    )

    command = find_ipatool() if fetch else ""
    source = shortcuts or newest_stage(workspace, SHORTCUT_STAGES)
    if source is None:
        raise RunError(
            f"{workspace} contains no table of shortcuts; pass a folder with --shortcuts"
        )
    definitions_folder = definitions or newest_stage(workspace, DEFINITION_STAGES)
    ranked = missing_apps(rank_apps(source, definitions_folder, workspace / FILE_NAME))
    outcomes: list[FetchedApp] = []
    if fetch:
        folder = out or workspace / "bundles"
        outcomes = fetch_apps(ranked[:fetch], folder, command=command)
    report = AppsReport(command="apps", missing=len(ranked), apps=ranked[:limit], fetched=outcomes)
    finish(report, report_lines(report), as_json=json)
