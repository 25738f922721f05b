"""The command `benchloom release overlap`: it reports rows that other datasets also contain."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchloom.release.overlap.matches import Counts

GROUP = Commands()
TRAIN, TEST = "train", "test"


@GROUP.command("overlap", no_args_is_help=True)
def overlap(
    folders: Annotated[
        list[Path],
        Argument(
            metavar="[RELEASE] OTHER...",
            help="Releases, or folders that `convert` or `import` wrote. The first is compared "
            "with the others; a single one is compared with the newest release.",
        ),
    ],
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Folder for overlap.parquet, .html and .json.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Count the rows of each split that a release shares with other datasets.

    The command compares texts, plans, shortcuts and APIs.

    Examples:
        benchloom release overlap 0.1.0 plans
        benchloom release overlap 0.1.0 parsed --json
    """
    from benchloom.release.overlap.report import find_overlap
    from benchloom.release.versions import gold_path

    # A single argument names the other set, which is compared with the newest release.
    mine, compared = (folders[0], folders[1:]) if len(folders) > 1 else (None, folders)
    report = find_overlap(
        gold_path(mine, workspace), [gold_path(other, workspace) for other in compared], out
    )
    lines = [
        f"{row.kind} {row.match}: {row.rows} of {report.release}, {row.split}; "
        f"{row.other_rows} of {row.other}, {row.other_split}"
        for row in report.matches
    ]
    lines += leaks(report.matches)
    if out is not None:
        lines.append(f"details are in {out}/overlap.html")
    finish(report, lines or ["nothing is shared"], as_json=json)


def leaks(matches: "Sequence[Counts]") -> list[str]:
    """Return an output line for each kind of match between test rows and training rows."""
    lines = []
    for row in matches:
        theirs = f"{row.other_rows} of their test rows ({row.other})"
        if (row.split, row.other_split) == (TRAIN, TEST):
            lines.append(f"leak: {theirs} are in our training split: {row.kind}, {row.match}")
        elif (row.split, row.other_split) == (TEST, TRAIN):
            ours = f"{row.rows} of our test rows are in their training split ({row.other})"
            lines.append(f"leak: {ours}: {row.kind}, {row.match}")
    return lines
