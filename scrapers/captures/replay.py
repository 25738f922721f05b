"""Answers page requests from captures only, with the responses that the crawl received.

A redirect is followed in captures as on the network, by the same rules.
"""

from collections.abc import Callable

import msgspec

from scrapers.captures.store import CaptureStore
from scrapers.errors import FetchError, ReplayMissError
from scrapers.pages.addresses import host_of, is_plain_address, join_address
from scrapers.pages.page import FetchCounts, Page, PageRequest, page_of
from scrapers.pages.site import redirect_target

MAX_REDIRECTS = 5


def follow_inside(
    fetch: Callable[[PageRequest], Page], request: PageRequest, hosts: tuple[str, ...]
) -> Page:
    """Fetch a page, following redirects inside `hosts`; a redirect to another host is returned.

    Raises FetchError (bad_redirect) after more than five redirects, and for a redirect to another
    port of the site or with user info.
    """
    for _ in range(MAX_REDIRECTS + 1):
        page = fetch(request)
        target = join_address(page.url or "", redirect_target(page))
        if target is None or host_of(target) not in hosts:
            return page
        if not is_plain_address(target):
            raise FetchError(
                request.url,
                "bad_redirect",
                "the redirect leads to an address with a port or user name",
            )
        request = msgspec.structs.replace(request, url=target)
    raise FetchError(
        request.url, "bad_redirect", f"the page redirects more than {MAX_REDIRECTS} times"
    )


class ReplayFetcher:
    """Answers requests from captures; a request without a captured page ends the run."""

    def __init__(self, store: CaptureStore, hosts: tuple[str, ...]) -> None:
        self.counts = FetchCounts()
        self._store = store
        self._hosts = hosts

    def fetch(self, request: PageRequest) -> Page:
        """Return the newest captured page; if a fault was captured instead, raise it."""
        return follow_inside(self._fetch_captured, request, self._hosts)

    def _fetch_captured(self, request: PageRequest) -> Page:
        capture = self._store.latest(request.url, rendered=request.render is not None)
        if capture is None:
            record = self._store.last_seen(request.url)
            if record is not None and record.fault is not None:
                raise FetchError(
                    request.url,
                    record.fault,
                    "the recorded crawl failed to fetch this page; crawl again without --replay",
                )
            raise ReplayMissError(
                f"{request.url} was never captured; crawl without --replay to fetch it"
            )
        self.counts.requests += 1
        return page_of(capture, self._store.body(capture))
