"""The commands `benchloom completions verify` and `export`, for the log of model replies."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from benchloom.core.errors import GateError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Out, UnusedWorkspace, finish

GROUP = Commands(
    """Verify or export the log of requests to models and their replies.

    Examples:
        benchloom completions verify workspace/completions.sqlite
        benchloom completions export workspace/completions.sqlite --out log
    """
)


Log = Annotated[Path, typer.Argument(metavar="LOG", help="SQLite file of a completion log.")]


class LogSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `completions verify` and `completions export` print with --json."""

    command: str
    log: str
    completions: int


@GROUP.command("verify", codes={1: "completions were changed"})
def verify(log: Log, json: Json = False, workspace: UnusedWorkspace = DEFAULT_WORKSPACE) -> None:
    """Check by digests that no logged request or reply was changed.

    Examples:
        benchloom completions verify workspace/completions.sqlite
        benchloom completions verify workspace/completions.sqlite --json
    """
    from prompts.ledger.log import count_completions, verify_log

    findings = verify_log(log)
    count = count_completions(log)
    summary = LogSummary(command="completions verify", log=str(log), completions=count)
    finish(summary, [f"{count} completions, {len(findings)} changed"], as_json=json)
    if findings:
        raise GateError(
            f"{len(findings)} completions were changed; restore a copy of the log", tuple(findings)
        )


@GROUP.command("export")
def export(
    log: Log, out: Out, json: Json = False, workspace: UnusedWorkspace = DEFAULT_WORKSPACE
) -> None:
    """Write the log to a Parquet file, as the table `completions`.

    Examples:
        benchloom completions export workspace/completions.sqlite --out log
        benchloom completions export workspace/completions.sqlite --out log --json
    """
    from benchloom.storage.tables import write_table
    from prompts.ledger.log import read_completions

    count = write_table("completions", read_completions(log), out / "completions.parquet")
    summary = LogSummary(command="completions export", log=str(log), completions=count)
    finish(summary, [f"{count} completions in {out}/completions.parquet"], as_json=json)
