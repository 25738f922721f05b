"""The command `benchloom download`: it fetches records and shortcut files of crawled listings."""

import time
from contextlib import ExitStack

import msgspec

from benchloom.core.errors import StoppedError
from flows.commands._help import Commands
from flows.commands.crawl import crawl_setting
from flows.commands.options import DEFAULT_WORKSPACE, Captures, Config, Json, Workspace, finish

GROUP = Commands()


class DownloadSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `download --json` prints.

    `flows.stages.listings.download.DownloadReport` explains the fields.
    """

    command: str
    captures: str
    links: int
    asked: int
    states: dict[str, int]
    faults: tuple[str, ...]
    requests: int
    seconds: float


@GROUP.command("download", codes={3: "iCloud refused"})
def download(
    captures: Captures = None,
    config: Config = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Fetch iCloud records and files of crawled listings.

    Examples:
        benchloom download
        benchloom download --config rebuild.toml --json
    """
    from benchloom.core.progress import under_way
    from flows.stages.listings.download import download_shortcuts, listed_ids
    from flows.stages.listings.read import stage_of_captures

    start = time.perf_counter()
    settings, folder = crawl_setting(config, captures, workspace)
    with ExitStack() as stack:
        with under_way("download: reading the captures"):
            read = stack.enter_context(stage_of_captures(folder, None))
            ids = listed_ids(folder, settings, read)
        report = download_shortcuts(ids, folder, settings, read=read)
    summary = DownloadSummary(
        command="download",
        captures=str(folder),
        links=report.links,
        asked=report.requested,
        states=report.states,
        faults=report.faults,
        requests=report.requests,
        seconds=round(time.perf_counter() - start, 3),
    )
    states = ", ".join(f"{count} {state}" for state, count in report.states.items()) or "nothing"
    lines = [f"{report.links} links, of which {report.requested} were requested now: {states}"]
    lines += [f"  failed: {fault}" for fault in report.faults]
    finish(summary, lines, as_json=json)
    if report.refused:
        raise StoppedError(report.refused)
