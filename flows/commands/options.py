"""Options that every command takes, and how every command ends."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

Inputs = Annotated[
    list[Path], typer.Argument(metavar="INPUT...", help="Files, folders or zip archives.")
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the result.")]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON summary on standard output, progress elsewhere.")
]
Workspace = Annotated[
    Path,
    typer.Option("--workspace", metavar="DIR", help="Folder for stages and releases."),
]
Captures = Annotated[
    Path | None,
    typer.Option(
        "--captures", metavar="DIR", help="Folder of captures; in the workspace if not given."
    ),
]
Workers = Annotated[int, typer.Option("--workers", min=1, max=256, help="Worker processes.")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 when any object is rejected.")]
DEFAULT_WORKSPACE = Path("workspace")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage command did; `--json` prints it."""

    command: str
    out: str
    objects: int
    rows: dict[str, int]
    reasons: dict[str, int]
    seconds: float


def finish(summary: msgspec.Struct, lines: list[str], *, as_json: bool) -> None:
    """Print the summary: JSON on standard output, or lines for people."""
    if as_json:
        sys.stdout.write(msgspec.json.encode(summary).decode() + "\n")
    else:
        sys.stdout.write("\n".join(lines) + "\n")


def summary_lines(summary: Summary) -> list[str]:
    """The summary for people: rows per table, rejected rows per reason, where they lie."""
    tables = ", ".join(f"{count} {name}" for name, count in sorted(summary.rows.items()))
    lines = [f"{summary.objects} objects -> {tables} in {summary.out} ({summary.seconds:.1f} s)"]
    lines += [f"  rejected {count}: {reason}" for reason, count in sorted(summary.reasons.items())]
    return lines
