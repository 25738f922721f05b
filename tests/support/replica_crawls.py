"""A complete crawl and download of the replica, shared by all tests."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from demo.replica.server import LoggedRequest, running_replica
from demo.replica.settings import replica_settings
from demo.replica.world import World
from flows.stages.listings.crawl import crawl_sites
from flows.stages.listings.download import DownloadReport, download_shortcuts, listed_ids
from flows.stages.listings.site_report import SiteReport
from scrapers.http.chromium import browser_paths
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES

DELAY = 0.02
SITE_VARIABLE = "CRAWL_ALONE"
"""Environment variable with the only site to crawl."""


def require_browser() -> None:
    """Skip a test if chromium is missing; fail it in CI."""
    if browser_paths() is None:
        message = "chromium and chromium-driver are not installed: see scripts/install-chromium"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)


def crawlable_sites() -> list[str]:
    """Return all sites, or those that need no browser if there is none."""
    if only_site := os.environ.get(SITE_VARIABLE):
        return [only_site]
    return [
        name
        for name, site in SITES.all().items()
        if site.access != "browser" or browser_paths() is not None
    ]


@dataclass(frozen=True)
class WholeCrawl:
    """The results of a crawl of every site, of a download, and of a second crawl and download."""

    captures: Path
    settings: CrawlSettings
    world: World
    reports: dict[str, SiteReport]
    log: list[LoggedRequest]
    download: DownloadReport
    download_log: list[LoggedRequest]
    second_reports: dict[str, SiteReport]
    second_log: list[LoggedRequest]
    second_download: DownloadReport


def make_whole_crawl(captures: Path, names: Sequence[str]) -> WholeCrawl:
    """Crawl and download the replica of some sites twice."""
    with running_replica() as replica:
        settings = replica_settings(replica, DELAY)
        reports = crawl_sites(names, captures, settings)
        log = list(replica.log)
        replica.log.clear()
        download = download_shortcuts(listed_ids(captures, settings), captures, settings)
        download_log = list(replica.log)
        replica.log.clear()
        second_reports = crawl_sites(names, captures, settings)
        second_download = download_shortcuts(listed_ids(captures, settings), captures, settings)
        return WholeCrawl(
            captures=captures,
            settings=settings,
            world=replica.world,
            reports={report.site: report for report in reports},
            log=log,
            download=download,
            download_log=download_log,
            second_reports={report.site: report for report in second_reports},
            second_log=list(replica.log),
            second_download=second_download,
        )


@pytest.fixture(scope="session")
def whole_crawl(tmp_path_factory: pytest.TempPathFactory) -> WholeCrawl:
    """Return the shared crawl; tests must not write into its captures."""
    return make_whole_crawl(tmp_path_factory.mktemp("whole-crawl"), crawlable_sites())


@pytest.fixture
def captures_copy(whole_crawl: WholeCrawl, tmp_path: Path) -> Iterator[Path]:
    """Yield a copy of the shared captures that a test may damage."""
    with ExitStack() as stack:
        copy = tmp_path / "captures"
        shutil.copytree(whole_crawl.captures, copy)
        stack.callback(shutil.rmtree, copy)
        yield copy
