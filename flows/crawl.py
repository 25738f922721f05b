"""The flow `crawl`, which crawls sites and stores captures, with one task per site."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.core.errors import StoppedError
from flows.configuration import crawl_settings, read_configuration
from flows.configuration.model import CAPTURES
from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import show_table
from flows.engine.run_log import run_name
from flows.stages.listings.crawl import Crawl
from flows.stages.listings.site_report import SiteReport
from scrapers.sites import SITES


@flow(name="crawl", flow_run_name=run_name("crawl {sites}"))
async def crawl(
    sites: Sequence[str],
    workspace: Path,
    captures: Path | None = None,
    config: Path | None = None,
    *,
    limit: int | None = None,
    since: str | None = None,
) -> Path:
    """Crawl sites in parallel, each at its own rate; return the folder of captures.

    `captures` is by default a folder in the workspace. The crawl settings come from the table
    [crawl] of `config` and from the environment.

    Raises:
        StoppedError: a site refused the crawl, or cannot be crawled from this machine. The error is
            raised when all other sites have been crawled.
    """
    folder = captures or workspace / CAPTURES
    settings = crawl_settings(read_configuration(config).crawl)
    chosen = [SITES.find(name) for name in dict.fromkeys(sites)]
    sites_crawl = Crawl(chosen, folder, settings, limit=limit, since=since)
    with sites_crawl.live(skip_unready=True) as crawl_one:

        @task(cache_policy=NO_CACHE, task_run_name="crawl-{name}", persist_result=False)
        def crawl_site(name: str) -> SiteReport:
            return crawl_one(SITES.find(name))

        futures = [crawl_site.submit(site.name) for site in chosen]
        reports = [future.result() for future in futures]
    rows = [
        {
            "site": report.site,
            "outcome": _trouble(report) or ("complete" if report.complete else "partial"),
            "listings": report.listings,
            "requests": report.requests,
            "changed pages": len(report.drift),
            "faults": len(report.faults),
        }
        for report in reports
    ]
    await show_table("crawl", rows, str(folder))
    if troubles := [
        f"{report.site}: {trouble}" for report in reports if (trouble := _trouble(report))
    ]:
        raise StoppedError("; ".join(troubles))
    return folder


def _trouble(report: SiteReport) -> str | None:
    return report.refused or (None if report.skipped is None else f"skipped: {report.skipped}")
