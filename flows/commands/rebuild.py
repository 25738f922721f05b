"""`benchloom rebuild [--config FILE] [--out DIR]`."""

import time
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish


class RebuildSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `rebuild` prints with --json."""

    command: str
    release: str
    version: str
    content_digest: str
    rows: dict[str, int]
    seconds: float


def rebuild(
    config: Annotated[
        Path, typer.Option("--config", metavar="FILE", help="What to read and how (TOML).")
    ] = Path("rebuild.toml"),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Workspace to build in.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Run the whole pipeline; a killed run started again goes on where it stopped."""
    from flows.configuration import read_configuration

    configuration = read_configuration(config)
    start = time.perf_counter()
    # Prefect is imported only here: it takes a second.
    from benchloom.release import read_manifest
    from flows.rebuild import rebuild as run
    from flows.running import run_flow

    place = out or workspace
    base = config.resolve().parent
    folder = run_flow(place, partial(run, configuration, base, place.resolve()))
    manifest = read_manifest(folder)
    summary = RebuildSummary(
        command="rebuild",
        release=str(folder),
        version=manifest.version,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
        seconds=round(time.perf_counter() - start, 1),
    )
    rows = ", ".join(f"{count} {table}" for table, count in summary.rows.items())
    lines = [
        f"release {summary.version} is built and checked: {rows} ({summary.seconds} s)",
        f"  in {folder}",
        f"  {summary.content_digest}",
        f"  load it: pandas.read_parquet('{folder / 'shortcuts'}')",
    ]
    finish(summary, lines, as_json=json)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command."""
    app.command("rebuild")(rebuild)
