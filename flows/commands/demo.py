"""`benchloom demo`: the whole pipeline on the bundled demo world; no network, no keys."""

import sys
import time
from functools import partial
from pathlib import Path

import typer

from flows.commands.options import Json, Workspace, finish

DEMO = Path(__file__).resolve().parents[2] / "demo"


def demo(json: Json = False, workspace: Workspace = Path("demo-output")) -> None:
    """Build a release from the demo world and say where it lies and how to load it."""
    from benchloom.release import read_manifest
    from flows.commands.rebuild import RebuildSummary
    from flows.configuration import Configuration, Sources
    from flows.rebuild import rebuild
    from flows.running import run_flow

    start = time.perf_counter()
    sys.stderr.write("benchloom demo: the whole pipeline on the bundled demo world\n")
    configuration = Configuration(
        sources=Sources(shortcuts=("shortcuts",), sgd=("sgd",)), workers=2
    )
    start_flow = partial(rebuild, configuration, DEMO, workspace.resolve())
    folder = run_flow(workspace, start_flow)
    manifest = read_manifest(folder)
    summary = RebuildSummary(
        command="demo",
        release=str(folder),
        version=manifest.version,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
        seconds=round(time.perf_counter() - start, 1),
    )
    lines = [f"The release lies in {folder}", "", "Load it:", "    import pandas as pd"]
    lines += [
        f"    {name} = pd.read_parquet('{folder / name}')  # {rows} rows"
        for name, rows in manifest.tables().items()
    ]
    lines += ["", f"Read about it: {folder / 'README.md'}"]
    finish(summary, lines, as_json=json)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command."""
    app.command("demo")(demo)
