"""`benchloom evaluate report`."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from flows.commands.options import Json, finish


class ReportSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `evaluate report` prints with --json."""

    command: str
    board: str
    scored: int
    audits: int


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders that `evaluate` wrote, or that hold some."),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for board.html.")
    ] = Path(),
    json: Json = False,
) -> None:
    """Write one page that shows scores side by side, with the published ones."""
    from benchloom.evaluate.board.page import write_board
    from benchloom.evaluate.board.reading import read_results

    found = read_results(folders)
    page = write_board(found, out)
    summary = ReportSummary(
        command="evaluate report",
        board=str(page),
        scored=len(found.scored),
        audits=len(found.audits),
    )
    lines = [f"{summary.scored} scorings and {summary.audits} audits in {page}"]
    finish(summary, lines, as_json=json)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom evaluate`."""
    del app
    parents["evaluate"].command("report", no_args_is_help=True)(report)
