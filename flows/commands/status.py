"""The command `benchloom status`: it shows how the last rebuild ended, and what to do next."""

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import RunError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

if TYPE_CHECKING:
    from flows.engine.run_record import RunRecord

GROUP = Commands()
_BAD_INPUT = 2


class Status(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The summary that `status --json` prints; fields without a value are left out.

    `next` is the command to run next. `result` is running, released, failed, interrupted or killed,
    and None before the first rebuild. `usd` is the cost of the requests that this run sent.
    `seconds` is None for a killed run, whose end was not recorded.
    """

    command: str
    workspace: str
    next: str
    result: str | None = None
    started: str | None = None
    seconds: float | None = None
    exit_code: int | None = None
    message: str = ""
    release: str = ""
    unchanged: bool = False
    usd: float | None = None


@GROUP.command("status")
def status(json: Json = False, workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """Show how the last rebuild ended, and the next command.

    A rebuild whose process ended without recording a result is shown as killed.

    Examples:
        benchloom status
        benchloom status --workspace workspace --json
    """
    from flows.engine.run_record import last_run

    if not workspace.is_dir():
        raise RunError(f"{workspace}: not a workspace; create one with `benchloom rebuild`")
    record = last_run(workspace)
    if record is None:
        begin = "benchloom rebuild" if Path("rebuild.toml").is_file() else "benchloom init"
        summary = Status(command="status", workspace=str(workspace), next=begin)
        lines = [f"no rebuild of {workspace} is recorded", f"next: {begin}"]
    else:
        summary = _summary(workspace, record)
        lines = _lines(summary)
    finish(summary, lines, as_json=json)


def _summary(workspace: Path, record: "RunRecord") -> Status:
    from flows.stages.generate.plan import LOG
    from prompts.ledger.schema import spent_between

    end = datetime.now(UTC) if record.result in {"running", "killed"} else record.ended
    last = end or record.started
    return Status(
        command="status",
        workspace=str(workspace),
        next=_next(workspace, record),
        result=record.result,
        started=record.started.isoformat(timespec="seconds"),
        seconds=None
        if record.result == "killed"
        else round((last - record.started).total_seconds(), 1),
        exit_code=record.exit_code,
        message=record.message,
        release=record.release,
        unchanged=record.unchanged,
        usd=spent_between(workspace / LOG, record.started.timestamp(), last.timestamp()),
    )


def _next(workspace: Path, record: "RunRecord") -> str:
    config = shlex.quote(record.config)
    if record.result == "running":
        return f"benchloom status --workspace {shlex.quote(str(workspace))}"
    if record.result == "released":
        return f"benchloom explore {shlex.quote(record.release)}"
    if record.result == "failed" and record.exit_code == _BAD_INPUT:
        return f"benchloom config check --config {config}"
    return f"benchloom rebuild --config {config} --workspace {shlex.quote(str(workspace))}"


def _lines(summary: Status) -> list[str]:
    from flows.console.bars import format_duration

    took = "" if summary.seconds is None else f", {format_duration(summary.seconds)}"
    cost = f"${summary.usd:.4f}" if summary.usd else "no money"
    return [
        f"last rebuild of {summary.workspace}: {_result(summary)}",
        f"  started {summary.started}{took}",
        *([f"  release {summary.release}"] if summary.release else []),
        *([f"  {line}" for line in summary.message.splitlines()]),
        f"  cost of its requests: {cost}",
        f"next: {summary.next}",
    ]


def _result(summary: Status) -> str:
    if summary.result == "released":
        return "release unchanged" if summary.unchanged else "release made"
    code = "" if summary.exit_code is None else f" (exit code {summary.exit_code})"
    return f"{summary.result}{code}"
