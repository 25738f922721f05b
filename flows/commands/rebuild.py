"""The command `benchloom rebuild`: it runs the whole pipeline that a configuration describes."""

import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Option

from benchloom.core.errors import BenchloomError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, RebuildConfig, Workspace, finish
from flows.console.summary import Closing, closing_lines

if TYPE_CHECKING:
    from flows.configuration import Configuration
    from flows.engine.command_runs import Start
    from flows.engine.run_record import Recorder

GROUP = Commands()


class RebuildSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The summary that `rebuild --json` prints.

    `stopped` contains errors that occurred after the release was built. `unchanged` means that the
    release existed before, because no input had changed. `closing` summarises the release; it is
    None if the run ended early because nothing had changed.
    """

    command: str
    release: str
    version: str
    content_digest: str
    rows: dict[str, int]
    seconds: float
    unchanged: bool = False
    stopped: str | None = None
    closing: Closing | None = None


@GROUP.command(
    "rebuild",
    codes={
        1: "nothing was read, or a gate or [expect] failed",
        2: "wrong usage or configuration, or a publication failed",
        3: "a budget is spent, or a site refused",
    },
)
def rebuild(
    config: RebuildConfig = Path("rebuild.toml"),
    out: Annotated[
        Path | None, Option(metavar="DIR", hidden=True, help="Former name of --workspace.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Run the whole pipeline, from sources to a checked release.

    After a kill, the same command continues the run.

    Examples:
        benchloom rebuild
        benchloom rebuild --config rebuild.toml --workspace workspace
    """
    from flows.engine.run_record import recorded

    build_folder = (out or workspace).resolve()
    if workspace not in {DEFAULT_WORKSPACE, out or workspace}:
        sys.stderr.write(
            f"benchloom: --out {out} is used as the workspace; --workspace {workspace} is ignored\n"
        )
    with recorded(build_folder, config) as record:
        _rebuild(config, build_folder, record, as_json=json)


def _rebuild(config: Path, build_folder: Path, record: "Recorder", *, as_json: bool) -> None:
    from flows.console.output import starting

    start = time.perf_counter()
    with starting("rebuild"):
        unchanged_summary = _unchanged_release(config, build_folder)
        if unchanged_summary is not None:
            record.release, record.unchanged = Path(unchanged_summary.release), True
            finish(unchanged_summary, _lines(unchanged_summary), as_json=as_json)
            return
        from flows.configuration.checks import opt_out_warnings, valid_configuration

        configuration = valid_configuration(config)
        for doubt in opt_out_warnings(config, build_folder):
            sys.stderr.write(f"benchloom: warning: {doubt}\n")
        from flows.run.engines import reach_engine

        reach_engine(configuration.engine.kind, configuration.engine.address)
        from flows.engine.command_runs import run_flow
        from flows.errors import AfterReleaseError

    earlier = {path.name for path in (build_folder / "releases").glob("*.*.*")}
    beside: AfterReleaseError | None = None
    try:
        folder = run_flow(
            build_folder, partial(load, config.resolve(), build_folder, configuration)
        )
    except AfterReleaseError as error:
        folder, beside = error.release, error
    summary = msgspec.structs.replace(
        summary_of("rebuild", folder, start),
        unchanged=folder.name in earlier,
        stopped=None if beside is None else str(beside),
    )
    finish(summary, _lines(summary), as_json=as_json)
    if beside is not None:
        raise beside


def summary_of(command: str, folder: Path, start: float) -> RebuildSummary:
    """Return the summary of the release that a command built.

    `start` is the time of `perf_counter` when the command began.
    """
    from benchloom.release import read_manifest
    from flows.console.summary.release_facts import closing_of

    manifest = read_manifest(folder)
    return RebuildSummary(
        command=command,
        release=str(folder),
        version=manifest.version,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
        seconds=round(time.perf_counter() - start, 1),
        closing=closing_of(folder),
    )


def load(config: Path, workspace: Path, configuration: "Configuration") -> "Start[Path]":
    """Return a function that starts the rebuild, for `run_flow`.

    `flows.rebuild` is imported only here, because it must be imported after Prefect.
    """
    from flows.rebuild import rebuild as run

    return partial(run, config, workspace, configuration)


def _unchanged_release(config: Path, workspace: Path) -> RebuildSummary | None:
    """Return a summary of the previous release if no input changed, or None otherwise.

    This check imports few modules. It returns None if the configuration has sites or publication
    targets, because files do not show their changes. It asks the servers of input URLs for changes.
    It reports no errors, since the rebuild that follows reports them.
    """
    from benchloom.storage.memory.last_rebuild import find_rebuild, request_digest
    from benchloom.storage.workspace import MEMORY, workspace_lock

    start = time.perf_counter()
    if not (config.is_file() and (workspace / MEMORY).is_dir()):
        return None
    request = request_digest(config, workspace)
    with workspace_lock(workspace):
        last = find_rebuild(workspace, request)
        if last is None or last.inputs.looks_outside:
            return None
        if last.inputs.urls:
            from scrapers.mirrors import fetched

            try:
                fetched(last.inputs.urls, workspace)
            except BenchloomError:
                return None
        if not last.is_unchanged(workspace):
            return None
    return RebuildSummary(
        command="rebuild",
        release=str(last.folder(workspace)),
        version=last.release,
        content_digest=last.content_digest,
        rows=dict(last.rows),
        seconds=round(time.perf_counter() - start, 1),
        unchanged=True,
    )


def _lines(summary: RebuildSummary) -> list[str]:
    rows = ", ".join(f"{count} {table}" for table, count in summary.rows.items() if count)
    state = "is unchanged" if summary.unchanged else "is built and checked"
    release = Path(summary.release)
    return [
        f"release {summary.version} {state}: {rows} ({summary.seconds} s)",
        f"  in {summary.release}",
        f"  {summary.content_digest}",
        f"  load it: pandas.read_parquet('{release / first_table(summary.rows)}')",
        *(closing_lines(summary.closing, release) if summary.closing is not None else []),
    ]


def first_table(rows: dict[str, int]) -> str:
    """Return the name of the table that the last output line loads as an example.

    The table contains shortcuts, or else plans; if both are empty, the longest table is chosen.
    """
    candidates = (table for table in ("shortcuts", "planning_paths") if rows.get(table))
    return next(candidates, max(rows, key=lambda table: rows[table]))
