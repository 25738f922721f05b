"""`benchloom release overlap`."""

from pathlib import Path
from typing import Annotated

import typer

from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish


def overlap(
    release: Annotated[Path, typer.Argument(help="Folder of the release, or its version.")],
    others: Annotated[
        list[Path],
        typer.Argument(
            metavar="OTHER...", help="Releases, or folders that `convert` or `import` wrote."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for overlap.parquet, .html and .json."),
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Tell what a release shares with other sets, by split: texts, plans, shortcuts, APIs."""
    from benchloom.overlap.writing import find_overlap

    found = find_overlap(
        _place(release, workspace), [_place(one, workspace) for one in others], out
    )
    lines = [
        f"{one.kind} {one.match}: {one.rows} of {found.release}, {one.split}; "
        f"{one.other_rows} of {one.other}, {one.other_split}"
        for one in found.matches
    ]
    if out is not None:
        lines.append(f"read {out}/overlap.html")
    finish(found, lines or ["nothing is shared"], as_json=json)


def _place(named: Path, workspace: Path) -> Path:
    return named if named.is_dir() else workspace / "releases" / named


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom release`."""
    del app
    parents["release"].command("overlap", no_args_is_help=True)(overlap)
