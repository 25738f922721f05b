"""Checks the table [crawl]: its settings, and whether this machine can crawl each site."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

from benchloom.core.errors import RunError
from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem
from flows.configuration.model import Configuration, crawl_settings
from scrapers.settings import NO_CONTACT
from scrapers.sites import SITES


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield the problems of the crawl settings and of every site to crawl.

    The settings include the address of a replica server, which answers in place of all sites.
    """
    options = context.configuration.crawl
    if not options.sites:
        return
    settings = crawl_settings(options)
    for message in settings.faults():
        if message == NO_CONTACT:
            yield Problem("crawl.contact", message, unless=("crawl.contact",))
        else:  # a fault begins with its key
            yield Problem(f"crawl.{message.split()[0].rstrip(':')}", message)
    try:
        if settings.replica is not None:
            settings.replica_address()
    except RunError as error:
        yield Problem("crawl", str(error))
    rendered = rendered_sites(context.configuration)
    for name in options.sites:
        site = SITES.find(name)
        if site.closed and settings.replica is None:
            yield Problem(
                "crawl.sites",
                f"{name} is closed; its captures can be read, but it cannot be crawled",
                name,
            )
        for need in browser_needs() if name in rendered else ():
            yield Problem("crawl.sites", f"{name} needs {need}", name, outside=True)
        # A configured Prefect server may store the secret in a block, which only a run reads.
        has_secret = settings.reddit_client_secret or os.environ.get("PREFECT_API_URL")
        if site.access == "oauth" and not (settings.reddit_client_id and has_secret):
            message = f"{name} needs REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"
            yield Problem("crawl.sites", message, name, outside=True)


def rendered_sites(configuration: Configuration) -> list[str]:
    """Return the sites to crawl whose pages need the browser."""
    options = configuration.crawl
    return [
        name
        for name in options.sites
        if name in options.browser_sites or SITES.find(name).access == "browser"
    ]


def browser_needs() -> Iterator[str]:
    """Yield the name of each program that is needed to render pages but is not installed."""
    from scrapers.http.chromium import browser_paths

    if browser_paths() is None:
        yield "chromium and its driver"
    if find_spec("selenium") is None:
        yield "the extra 'browser': pip install 'benchloom[browser]'"
