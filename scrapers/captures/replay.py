"""This module answers page requests from captures, with the responses that a crawl received.

Redirects are followed by the same rules as in a live crawl.
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
    """Fetch a page and follow redirects to `hosts`; return a redirect to another host unfollowed.

    Raises:
        FetchError: there are more than five redirects, or a redirect leads to another port or
            contains a user name (reason bad_redirect).
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
    """A `Fetcher` that answers page requests from captures, without network."""

    def __init__(self, store: CaptureStore, hosts: tuple[str, ...]) -> None:
        self.counts = FetchCounts()
        self._store = store
        self._hosts = hosts

    def fetch(self, request: PageRequest) -> Page:
        """Return the newest captured page for a request.

        Raises:
            FetchError: the crawl captured only a fault for this request.
            ReplayMissError: nothing was captured for this request.
        """
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
