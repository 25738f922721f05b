"""The command `benchloom clean`: it removes old stage folders and cached results of past runs."""

from typing import Annotated

import msgspec
from typer import Option

from benchloom.core.errors import RunError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

GROUP = Commands()


class CleanSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `clean --json` prints; `bytes` is the size of all `removed` folders."""

    command: str
    workspace: str
    dry_run: bool
    removed: tuple[str, ...]
    bytes: int


@GROUP.command("clean")
def clean(
    keep: Annotated[
        int, Option(min=1, help="Number of newest folders to keep for each stage.")
    ] = 2,
    dry_run: Annotated[bool, Option("--dry-run", help="Only list what would be removed.")] = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Remove replaced stage folders and the cached results of past runs.

    Captures, the log of completions and releases are not removed.

    Examples:
        benchloom clean --dry-run
        benchloom clean --keep 1
    """
    from benchloom.storage.old_stages import remove_stage, stale_stages
    from benchloom.storage.workspace import workspace_lock

    if not workspace.is_dir():
        raise RunError(f"{workspace} is not a workspace; pass a workspace with --workspace")
    with workspace_lock(workspace):
        stages = stale_stages(workspace, keep)
        for stage in [] if dry_run else stages:
            remove_stage(workspace, stage)
    summary = CleanSummary(
        command="clean",
        workspace=str(workspace),
        dry_run=dry_run,
        removed=tuple(stage.path for stage in stages),
        bytes=sum(stage.bytes for stage in stages),
    )
    verb = "would remove" if dry_run else "removed"
    lines = [f"{verb} {len(stages)} stage folders, {summary.bytes / 1e6:.1f} MB"]
    lines += [f"  {stage.path} ({stage.bytes / 1e6:.1f} MB)" for stage in stages]
    finish(summary, lines, as_json=json)
