"""Capture the demo world: crawl every site, download every shortcut.

Uses loopback only; without a browser, sites that need one are skipped with a note.
"""

from pathlib import Path

import msgspec

from demo.replica.server import running_replica
from demo.replica.settings import replica_settings
from flows.stages.listings.crawl import crawl_sites
from flows.stages.listings.download import DownloadReport, download_shortcuts, listed_ids
from flows.stages.listings.site_report import SiteReport
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES

PATIENCE = 60.0
"""Seconds to wait for an answer, so that the demo is the same on a busy machine."""


class DemoCapture(msgspec.Struct, frozen=True):
    """Reports of a crawl and its download, and the settings for reading the captures later."""

    sites: list[SiteReport]
    download: DownloadReport
    settings: CrawlSettings


def capture_demo_world(captures: Path) -> DemoCapture:
    """Crawl and download the replica into `captures`, without waiting between requests."""
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0, timeout=PATIENCE)
        sites = crawl_sites(list(SITES.names()), captures, settings, skip_unready=True)
        download = download_shortcuts(listed_ids(captures, settings), captures, settings)
    return DemoCapture(sites, download, settings)
