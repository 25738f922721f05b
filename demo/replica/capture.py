"""This module captures the replica: it crawls every imitated site and downloads every shortcut.

Only the loopback network is used. If there is no browser, sites that need a browser are skipped,
and their reports say so.
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
"""Maximum seconds for a response; large, so that the demo gives the same rows on a busy machine."""


class DemoCapture(msgspec.Struct, frozen=True):
    """The reports of a crawl and of a download, and the settings to read the captures later."""

    sites: list[SiteReport]
    download: DownloadReport
    settings: CrawlSettings


def capture_demo_world(captures: Path) -> DemoCapture:
    """Crawl the replica into the folder `captures`, without delays between requests."""
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0, timeout=PATIENCE)
        sites = crawl_sites(list(SITES.names()), captures, settings, skip_unready=True)
        download = download_shortcuts(listed_ids(captures, settings), captures, settings)
    return DemoCapture(sites, download, settings)
