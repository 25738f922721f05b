"""`benchloom rebuild [--config FILE] [--out DIR]`."""

import sys
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish


class RebuildSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What `rebuild` prints with --json; `stopped` says what went wrong beside the release."""

    command: str
    release: str
    version: str
    content_digest: str
    rows: dict[str, int]
    seconds: float
    stopped: str | None = None


def rebuild(
    config: Annotated[
        Path, typer.Option("--config", metavar="FILE", help="What to read and how (TOML).")
    ] = Path("rebuild.toml"),
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Workspace to build in: --workspace by its older name."
        ),
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Run the whole pipeline; a killed run started again goes on where it stopped."""
    from flows.configuration import read_configuration

    configuration = read_configuration(config)
    configuration.require_sources()
    start = time.perf_counter()
    # Prefect is imported only here: it takes a second.
    from benchloom.release import read_manifest
    from flows.engine.running import run_flow
    from flows.errors import AfterReleaseError
    from flows.rebuild import rebuild as run

    place = (out or workspace).resolve()
    if workspace not in {DEFAULT_WORKSPACE, out or workspace}:
        sys.stderr.write(f"benchloom: builds in --out {out}; --workspace {workspace} is not used\n")
    beside: AfterReleaseError | None = None
    try:
        folder = run_flow(place, partial(run, config.resolve(), place, configuration))
    except AfterReleaseError as error:
        folder, beside = error.release, error
    manifest = read_manifest(folder)
    summary = RebuildSummary(
        command="rebuild",
        release=str(folder),
        version=manifest.version,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
        seconds=round(time.perf_counter() - start, 1),
        stopped=None if beside is None else str(beside),
    )
    finish(summary, _lines(summary, folder), as_json=json)
    if beside is not None:
        raise beside


def _lines(summary: RebuildSummary, folder: Path) -> list[str]:
    rows = ", ".join(f"{count} {table}" for table, count in summary.rows.items())
    return [
        f"release {summary.version} is built and checked: {rows} ({summary.seconds} s)",
        f"  in {folder}",
        f"  {summary.content_digest}",
        f"  load it: pandas.read_parquet('{folder / first_table(summary.rows)}')",
    ]


def first_table(rows: dict[str, int]) -> str:
    """The table to look at first: shortcuts or plans where there are any, else the longest."""
    wanted = (table for table in ("shortcuts", "planning_paths") if rows.get(table))
    return next(wanted, max(rows, key=lambda table: rows[table]))


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command."""
    app.command("rebuild")(rebuild)
