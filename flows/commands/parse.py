"""The commands `benchloom parse shortcuts`, `definitions` and `listings`."""

import time
from functools import partial
from typing import Annotated

from typer import Option

from flows.commands._help import SITES, Commands
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

GROUP = Commands(
    """Read files into typed tables.

    Examples:
        benchloom parse shortcuts shortcuts.zip --out parsed
        benchloom parse definitions Tools-mac.sqlite --out definitions
    """
)
_CODES = {1: "nothing was read; or --strict, and something was rejected"}


@GROUP.command("definitions", codes=_CODES)
def parse_definitions(
    inputs: Inputs,
    out: Out,
    app: Annotated[
        str | None, Option(metavar="ID", help="App id for definition files outside an app bundle.")
    ] = None,
    strict: Strict = False,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read API definitions from .ipa, .app, single files, folders and zips.

    Formats: ToolKit databases, App Intents metadata, SiriKit intent definitions, WFActions. A Mac
    stores the definitions of all its apps in ~/Library/Shortcuts/ToolKit/Tools-active: copy this
    file first with `sqlite3 ~/Library/Shortcuts/ToolKit/Tools-active '.backup Tools-mac.sqlite'`.

    Examples:
        benchloom parse definitions Tools-mac.sqlite --out definitions
        benchloom parse definitions apps/ --out definitions
    """
    from flows.run.runner import run_whole
    from flows.stages.definitions.parse import prepare_catalogue
    from scrapers.mirrors import read_here

    start = time.perf_counter()
    with read_here(inputs, workspace) as paths:
        stage = run_whole(prepare_catalogue(paths, app, workers), out)
    finish_stage_command("parse definitions", stage, start, as_json=json, strict=strict)


@GROUP.command("listings", lists=SITES, codes=_CODES)
def parse_listings(
    inputs: Inputs,
    site: Annotated[str, Option(help="Name of the site, from the list below.")],
    out: Out,
    strict: Strict = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read saved or captured pages of a site into rows.

    Each entry on each page becomes a row.

    Examples:
        benchloom parse listings captures/ --site routinehub --out listings
        benchloom parse listings captures/ --site routinehub --out listings --strict
    """
    from flows.run.runner import run_whole
    from flows.stages.listings.parse import prepare
    from scrapers.mirrors import read_here

    start = time.perf_counter()
    with read_here(inputs, workspace) as paths:
        stage = run_whole(prepare(paths, site), out)
    finish_stage_command("parse listings", stage, start, as_json=json, strict=strict)


@GROUP.command("shortcuts", codes=_CODES)
def parse_shortcuts(
    inputs: Inputs,
    out: Out,
    cross_check: Annotated[
        bool,
        Option(
            "--cross-check", help="Read binary files again with biplist, and compare the results."
        ),
    ] = False,
    strict: Strict = False,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read shortcut files of every format, also signed ones.

    Examples:
        benchloom parse shortcuts shortcuts.zip --out parsed
        benchloom parse shortcuts shortcuts.zip --out parsed --workers 2
    """
    from flows.run.processes import start_early

    start_early(workers, "flows.stages.shortcuts.parse")
    from flows.run.runner import write_tables
    from flows.stages.shortcuts.parse import STAGE, prepare
    from scrapers.mirrors import read_here

    start = time.perf_counter()
    with read_here(inputs, workspace) as paths:
        prepare_here = partial(prepare, paths, with_cross_check=cross_check)
        stage = write_tables(STAGE, out, prepare_here, workers=workers)
    finish_stage_command("parse shortcuts", stage, start, as_json=json, strict=strict)
