"""`benchloom parse listings INPUT... --site NAME --out DIR`."""

import time
from typing import Annotated

import typer

from flows.commands._help import exit_codes
from flows.commands._names import listing, site_names
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Inputs,
    Json,
    Out,
    Strict,
    Workspace,
    finish_stage_command,
)


def parse_listings(
    inputs: Inputs,
    site: Annotated[str, typer.Option("--site", help="Site, from the list below.")],
    out: Out,
    strict: Strict = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Read pages of a site, saved or captured, into rows.

    One row is made for each entry on each page.

    Examples:
        benchloom parse listings captures/ --site routinehub --out listings
        benchloom parse listings captures/ --site routinehub --out listings --strict
    """
    from flows.run.runner import run_whole
    from flows.stages.listings.parse import prepare
    from scrapers.mirrors.inputs import read_here

    start = time.perf_counter()
    with read_here(inputs, workspace) as paths:
        stage = run_whole(prepare(paths, site), out)
    finish_stage_command("parse listings", stage, start, as_json=json, strict=strict)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom parse`."""
    parents["parse"].command(
        "listings",
        cls=listing("Sites", site_names),
        epilog=exit_codes(one="nothing was read; or --strict, and something was rejected"),
    )(parse_listings)
