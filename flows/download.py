"""The flow `download`, which fetches iCloud records and shortcut files of crawled listings."""

from pathlib import Path

from benchloom.core.errors import StoppedError
from flows.configuration import CrawlOptions, crawl_settings, read_configuration
from flows.configuration.model import CAPTURES
from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import show_table
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.stages.listings import read
from flows.stages.listings.download import DownloadReport, download_shortcuts, listed_ids


@task(cache_policy=NO_CACHE, persist_result=False)
def fetch_shortcuts(captures: Path, options: CrawlOptions, read: Path) -> DownloadReport:
    """Fetch the records and files that `captures` lacks, for the links found in the folder `read`.

    Secrets are read from the environment only here, so that no parameter in Prefect contains one.
    """
    settings = crawl_settings(options)
    ids = listed_ids(captures, settings, read)
    return download_shortcuts(ids, captures, settings, read=read)


@flow(name="download", flow_run_name=run_name("download for {workspace}"))
async def download(
    workspace: Path, captures: Path | None = None, config: Path | None = None, workers: int = 1
) -> Path:
    """Fetch records and files of every usable captured listing; return the captures folder.

    `captures` is by default a folder in the workspace, and `config` contains the crawl settings.

    Raises:
        StoppedError: iCloud refused further requests. Finished downloads are preserved.
    """
    folder = captures or workspace / CAPTURES
    was_read = await run_stage_task(read.prepare(folder), workspace, workers)
    report = fetch_shortcuts(folder, read_configuration(config).crawl, was_read.path)
    rows = [{"what": "links", "count": report.links}, {"what": "asked", "count": report.requested}]
    rows += [{"what": state, "count": count} for state, count in report.states.items()]
    await show_table("download", rows, str(folder))
    if report.refused:
        raise StoppedError(report.refused)
    return folder
