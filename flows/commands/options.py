"""Command-line options that several commands share, and functions that print summaries."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import GateError, NothingReadError
from flows.commands._help import rare

if TYPE_CHECKING:
    from flows.run.finished import FinishedStage

Inputs = Annotated[
    list[str],
    Argument(
        metavar="INPUT...",
        path_type=str,
        help="Files, folders, zip archives, or URLs of them (s3://BUCKET/FOLDER, https://...).",
    ),
]
Paths = Annotated[list[Path], Argument(metavar="INPUT...", help="Files, folders or zip archives.")]
Out = Annotated[Path, Option("--out", metavar="DIR", help="Folder for the result.")]
Json = Annotated[
    bool,
    Option(
        "--json", help="Print one JSON summary on standard output; progress goes to standard error."
    ),
]
Workspace = Annotated[
    Path,
    Option("--workspace", metavar="DIR", help="Folder for stages, releases and copies of inputs."),
]
UnusedWorkspace = Annotated[Path, Option("--workspace", hidden=True)]
"""A hidden option --workspace for commands that use no workspace; it has no effect."""
Captures = Annotated[
    Path | None,
    Option(
        "--captures",
        metavar="DIR",
        help="Folder of captures; if absent, `captures` in the workspace.",
    ),
]
Config = Annotated[
    Path | None,
    Option("--config", metavar="FILE", help="Configuration file; if absent, ./rebuild.toml."),
]
Workers = Annotated[int, Option("--workers", min=1, max=256, help="Worker processes.")]
Strict = Annotated[bool, Option("--strict", help="Exit with 1 if any object is rejected.")]
Gold = Annotated[
    Path | None,
    Option(
        "--gold",
        metavar="PATH",
        help="Published gold files, or a release or version; if absent, the newest release.",
    ),
]
GoldSplit = Annotated[str, Option("--split", help="Split of the gold; if absent, all splits.")]
Functions = Annotated[
    Path | None,
    rare(
        "--functions",
        "--world",
        metavar="PATH",
        help="Path of NESTFUL's functions or API-Bank's databases.",
    ),
]
BaseUrl = Annotated[
    str | None,
    Option("--base-url", help="URL of an OpenAI-compatible endpoint; or OPENAI_BASE_URL."),
]
Prices = Annotated[
    Path | None, rare("--prices", metavar="FILE", help="TOML file with prices of models.")
]
Concurrency = Annotated[
    int, rare("--concurrency", min=1, max=1024, help="Maximum number of requests in flight.")
]
ReleaseChoice = Annotated[
    Path | None, Argument(help="Folder or version of a release; if absent, the newest release.")
]
Port = Annotated[
    int, Option("--port", min=0, max=65535, help="Port on loopback; 0 chooses a free port.")
]
RebuildConfig = Annotated[
    Path,
    Option("--config", metavar="FILE", help="Configuration file (TOML) with inputs and settings."),
]
DEFAULT_WORKSPACE = Path("workspace")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that a stage command prints with `--json`.

    `objects` counts the objects that were read, such as files. `rows` maps tables to numbers of
    rows, and `reasons` maps reasons to numbers of rejected objects.
    """

    command: str
    out: str
    objects: int
    rows: dict[str, int]
    reasons: dict[str, int]
    seconds: float


def finish(summary: msgspec.Struct, lines: list[str], *, as_json: bool) -> None:
    """Print a command's result to standard output, as JSON or as lines, and flush the output."""
    text = msgspec.json.encode(summary).decode() if as_json else "\n".join(lines)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def finish_stage(
    summary: Summary, stage: "FinishedStage", further: Sequence[str], *, as_json: bool
) -> None:
    """Print the summary of a stage command as JSON, or as lines that end with `further`.

    Raises:
        NothingReadError: no input became a row. The summary has been printed.
    """
    tables = ", ".join(f"{count} {name}" for name, count in sorted(summary.rows.items()))
    lines = [f"{summary.objects} objects -> {tables} in {summary.out} ({summary.seconds:.1f} s)"]
    lines += [f"  rejected {count}: {reason}" for reason, count in sorted(summary.reasons.items())]
    fault = nothing_read(summary.command, stage)
    finish(summary, [*lines, *further, *(["  NOTHING WAS READ"] if fault else [])], as_json=as_json)
    if fault is not None:
        raise fault


def nothing_read(command: str, stage: "FinishedStage") -> "NothingReadError | None":
    """Return an error if the stage wrote no row to any table, or None if it wrote rows."""
    from flows.run.finished import is_empty

    if not is_empty(stage.rows):
        return None
    if not stage.objects:
        return NothingReadError(
            f"{command}: nothing was read: the inputs contain no file of a format that this "
            f"command reads; pass other inputs"
        )
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(stage.reasons.items()))
    return NothingReadError(
        f"{command}: nothing was read: all {stage.objects} objects were rejected ({reasons})"
        f"{_first_rejected(stage.path)}. {stage.path}/rejected.parquet lists each object with its "
        f"reason"
    )


def _first_rejected(out: Path) -> str:
    """Return text for an error message about the first rejected row in `out`, or ""."""
    from benchloom.core.records import Rejected
    from benchloom.storage.tables import iter_records

    first = next(iter_records(out, "rejected", Rejected), None)
    return "" if first is None else f", the first: {first.source_uri}: {first.message}"


def finish_stage_command(
    command: str,
    stage: "FinishedStage",
    start: float,
    *,
    as_json: bool,
    strict: bool = False,
    further: Sequence[str] = (),
) -> None:
    """Print the result of a stage command, which began at `start` (a time of `perf_counter`).

    Raises:
        NothingReadError: no input became a row.
        GateError: `strict` is set, and an object was rejected.
    """
    summary = Summary(
        command=command,
        out=str(stage.path),
        objects=stage.objects,
        rows=stage.rows,
        reasons=stage.reasons,
        seconds=round(time.perf_counter() - start, 3),
    )
    finish_stage(summary, stage, further, as_json=as_json)
    if strict and stage.reasons:
        raise GateError(
            f"--strict: {sum(stage.reasons.values())} objects were rejected; see rejected.parquet"
        )
