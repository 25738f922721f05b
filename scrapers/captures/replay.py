"""Answers page requests from captures alone, with the responses that the crawl received."""

from scrapers.captures.store import CaptureStore
from scrapers.errors import FetchError, ReplayMissError
from scrapers.pages.page import FetchCounts, Page, PageRequest, page_of
from scrapers.pages.redirects import follow_inside


class ReplayFetcher:
    """Answers requests from captures; a request without a captured page ends the run."""

    def __init__(self, store: CaptureStore, hosts: tuple[str, ...]) -> None:
        self.counts = FetchCounts()
        self._store = store
        self._hosts = hosts

    def fetch(self, request: PageRequest) -> Page:
        """Return the newest captured page, or raise the fault that was captured instead."""
        return follow_inside(self._fetch_captured, request, self._hosts)

    def _fetch_captured(self, request: PageRequest) -> Page:
        capture = self._store.latest(request.url, rendered=request.render is not None)
        if capture is None:
            seen = self._store.last_seen(request.url)
            if seen is not None and seen.fault is not None:
                raise FetchError(request.url, seen.fault, "as captured")
            raise ReplayMissError(f"{request.url} was never captured")
        self.counts.requests += 1
        return page_of(capture, self._store.body(capture))
