"""What would keep the crawl, or one of its sites, from starting on this machine."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

from benchloom.core.errors import RunError
from flows.configuration.crawl_settings import crawl_settings
from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart
from flows.configuration.sections import CrawlOptions
from scrapers.settings import NO_CONTACT


def crawl_faults(part: SoundPart) -> Iterator[Fault]:
    """Faults of politeness, of the replica, and of every site."""
    from scrapers.sites import SITES

    options = part.configuration.crawl
    if not options.sites:
        return
    settings = crawl_settings(options)
    for message in settings.faults():
        # A fault begins with the key that it is about.
        key = "contact" if message == NO_CONTACT else message.split()[0].rstrip(":")
        where = ("crawl", key) if key in CrawlOptions.model_fields else ("crawl",)
        yield part.located(Fault(f"crawl: {message}", where))
    try:
        if settings.replica is not None:
            settings.replica_address()
    except RunError as error:
        yield Fault(f"crawl: {error}")
    rendered = {SITES.find(name).name for name in options.browser_sites}
    for name in options.sites:
        site = SITES.find(name)
        where = ("crawl", "sites")
        if site.closed and settings.replica is None:
            message = f"crawl.sites: {site.name} is closed; it answers from captures only"
            yield part.located(Fault(message, where), name)
        if site.access == "browser" or site.name in rendered:
            for needed in browser_needs():
                message = f"crawl.sites: {site.name} needs {needed}"
                yield part.located(Fault(message, where, outside=True), name)
        # A configured server may hold the secret in a block, which is only looked at by a run.
        has_secret = settings.reddit_client_secret or os.environ.get("PREFECT_API_URL")
        if site.access == "oauth" and not (settings.reddit_client_id and has_secret):
            message = f"crawl.sites: {site.name} needs REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"
            yield part.located(Fault(message, where, outside=True), name)


def browser_needs() -> Iterator[str]:
    """What this machine lacks to render pages."""
    from scrapers.http.chromium import browser_paths

    if browser_paths() is None:
        yield "chromium and its driver"
    if find_spec("selenium") is None:
        yield "the extra 'browser': pip install 'benchloom[browser]'"
