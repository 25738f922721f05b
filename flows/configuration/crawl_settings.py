"""From [crawl] to the settings of the crawler; what is no matter of a file joins here."""

import os

from flows.configuration.sections import CrawlOptions
from scrapers.settings import CrawlSettings

REPLICA = "BENCHLOOM_REPLICA"
"""`host:port` of a replica on this machine, for tests and demonstrations; environment only."""


def crawl_settings(options: CrawlOptions) -> CrawlSettings:
    """The crawler's settings: [crawl], a replica and a secret of the environment."""
    return CrawlSettings(
        **options.model_dump(exclude={"sites"}),
        replica=os.environ.get(REPLICA) or None,
        reddit_client_secret=os.environ.get("REDDIT_CLIENT_SECRET") or None,
    )
