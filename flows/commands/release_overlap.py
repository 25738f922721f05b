"""`benchloom release overlap`."""

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
            help="Release or its version, the newest if absent; then releases, or folders that "
            "`convert` or `import` wrote.",
        ),
    ],
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Folder for overlap.parquet, .html and .json.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Count what a release shares with other sets, by split.

    Texts, plans, shortcuts and APIs are compared.

    Examples:
        benchloom release overlap 0.1.0 plans
        benchloom release overlap 0.1.0 parsed --json
    """
    from benchloom.release.overlap.report import find_overlap
    from benchloom.release.versions import gold_path

    # A single name is that of the other set, which is compared with the newest release.
    mine, compared = (folders[0], folders[1:]) if len(folders) > 1 else (None, folders)
    report = find_overlap(
        gold_path(mine, workspace), [gold_path(other, workspace) for other in compared], out
    )
    lines = [
        f"{match_counts.kind} {match_counts.match}: {match_counts.rows} of {report.release}, "
        f"{match_counts.split}; "
        f"{match_counts.other_rows} of {match_counts.other}, {match_counts.other_split}"
        for match_counts in report.matches
    ]
    lines += leaks(report.matches)
    if out is not None:
        lines.append(f"read {out}/overlap.html")
    finish(report, lines or ["nothing is shared"], as_json=json)


def leaks(matches: "Sequence[Counts]") -> list[str]:
    """Return a line for each kind of match of rows that one side tests and the other trains on."""
    lines = []
    for match_counts in matches:
        shared = f"{match_counts.kind}, {match_counts.match}"
        if (match_counts.split, match_counts.other_split) == (TRAIN, TEST):
            lines.append(
                f"leak: {match_counts.other_rows} of their test rows ({match_counts.other}) are in "
                "our train: "
                f"{shared}"
            )
        elif (match_counts.split, match_counts.other_split) == (TEST, TRAIN):
            lines.append(
                f"leak: {match_counts.rows} of our test rows are in their train "
                f"({match_counts.other}): {shared}"
            )
    return lines
