"""This module fetches pages over the network and captures every response.

It obeys robots.txt and requests no page twice. `scrapers.captures.replay` answers the same requests
from captures alone.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records import Capture, Header
from benchloom.storage.web_archive import SOURCE_FIELD, StoredRecord
from scrapers.captures import CaptureStore, CaptureWriter
from scrapers.captures.replay import follow_inside
from scrapers.errors import FetchError, SiteRefusedError
from scrapers.http.answers import Response
from scrapers.http.client import Client
from scrapers.http.robots import LONGEST_DELAY, Robots, api_headers, application_token, read_robots
from scrapers.icloud import scrub
from scrapers.pages.addresses import host_of
from scrapers.pages.html import count
from scrapers.pages.page import (
    FetchCounts,
    Page,
    PageRequest,
    PageSource,
    RenderedPage,
    RenderPlan,
    page_of,
)
from scrapers.pages.site import redirect_target


class Renderer(Protocol):
    """The interface of a browser that loads pages and runs their scripts."""

    def render(self, url: str, plan: RenderPlan, client: Client) -> RenderedPage:
        """Load a page; return the document after its scripts have run, and its responses."""
        ...


class CapturingFetcher:
    """A `Fetcher` that requests pages over the network and captures every response.

    A page that this run has captured before, perhaps before it was killed, is not requested again.
    """

    def __init__(
        self,
        client: Client,
        store: CaptureStore,
        writer: CaptureWriter,
        hosts: tuple[str, ...],
        *,
        robots_apply: bool = True,
        renderer: Callable[[], Renderer] | None = None,
        refusal_stops: bool = True,
        limit: int | None = None,
    ) -> None:
        self.counts = FetchCounts()
        self._client = client
        self._store = store
        self._writer = writer
        self._hosts = hosts
        self._robots_apply = robots_apply
        self._renderer = renderer
        self._refusal_stops = refusal_stops
        self._limit = limit
        self._robots: dict[str, Robots] = {}
        self._token: str | None = None
        self._done: dict[tuple[str, bool], Capture] = {}
        for capture in writer.earlier:
            self._note(capture)

    def fetch(self, request: PageRequest) -> Page:
        """Return the page, whatever its status, and follow redirects inside the site.

        Raises:
            FetchError: the page is not available, or robots.txt forbids the request.
            SiteRefusedError: the site refuses further requests.
        """
        return follow_inside(self._fetch, request, self._hosts)

    def _fetch(self, request: PageRequest) -> Page:
        key = (request.url, request.render is not None)
        done = self._done.get(key)
        if done is not None and not request.fresh:
            self.counts.resumed += 1
            return page_of(done, self._store.body(done))
        if self._robots_apply:
            self._check_robots(request.url)
        try:
            if request.render is not None:
                return self._render(request)
            return self._get(request)
        except (FetchError, SiteRefusedError) as error:
            reason = error.reason if isinstance(error, FetchError) else "refused"
            self._note_fault(request.url, reason, str(error))
            raise

    def _get(self, request: PageRequest) -> Page:
        earlier = self._store.latest(request.url)
        headers = _conditions(earlier)
        if request.signed_in:
            self._token = self._token or application_token(self._client)
            headers |= api_headers(self._client.settings)
            headers["Authorization"] = f"Bearer {self._token}"
        answer = self._client.get(
            request.url, headers, refusal_stops=self._refusal_stops, limit=self._limit
        )
        self.counts.requests += 1
        self.counts.body_bytes += len(answer.raw)
        self._obey_rate_limit(answer)
        return self._keep(answer, earlier)

    def _keep(self, answer: Response, earlier: Capture | None) -> Page:
        status = (answer.status, answer.reason)
        if answer.status == 304 and earlier is not None:
            return self._revisit(earlier, status, answer.headers, answer.fetched_at)
        headers, raw, body = answer.headers, answer.raw, answer.body
        if self._client.settings.scrub_personal_ids:
            body = scrub(answer.body)
            if body != answer.body:
                raw = body
                dropped = {"content-encoding", "content-length"}
                headers = tuple(h for h in headers if h.name.lower() not in dropped)
        if earlier is not None and _is_same_answer(answer, body, earlier):
            return self._revisit(earlier, status, headers, answer.fetched_at)
        stored = self._writer.response(answer.url, status, headers, raw, answer.fetched_at)
        self._add(stored)
        return page_of(stored.capture, stored.body)

    def _revisit(
        self, earlier: Capture, status: tuple[int, str], headers: tuple[Header, ...], now: str
    ) -> Page:
        self.counts.unchanged += 1
        self._add(self._writer.revisit(earlier, status, headers, now))
        return page_of(earlier, self._store.body(earlier))

    def _render(self, request: PageRequest) -> Page:
        if self._renderer is None or request.render is None:
            raise FetchError(
                request.url,
                "no_browser",
                "the page must be rendered, but this crawl has no browser",
            )
        earlier = self._store.latest(request.url, rendered=True)
        if earlier is not None and self._sources_unchanged(earlier):
            return self._revisit(earlier, (304, "Not Modified"), (), self._client.now())
        page = self._renderer().render(request.url, request.render, self._client)
        self.counts.requests += max(1, len(page.sources))
        self.counts.body_bytes += len(page.html)
        stored = self._writer.rendered(request.url, page, self._client.now())
        self._add(stored)
        return page_of(stored.capture, stored.body)

    def _sources_unchanged(self, earlier: Capture) -> bool:
        sources_header = earlier.header(SOURCE_FIELD)
        sources = (
            msgspec.json.decode(sources_header, type=tuple[PageSource, ...])
            if sources_header
            else ()
        )
        if not sources or any(source.etag is None for source in sources):
            return False
        for source in sources:
            if self._robots_apply and not self._robots_of(source.url).allows(source.url):
                return False  # forbidden for us, even if the page's scripts may request it
            answer = self._client.get(source.url, {"If-None-Match": source.etag or ""})
            self.counts.requests += 1
            self.counts.body_bytes += len(answer.raw)
            if answer.status != 304:
                return False
        return True

    def _check_robots(self, url: str) -> None:
        if not self._robots_of(url).allows(url):
            error = FetchError(url, "disallowed", "robots.txt forbids it")
            self._note_fault(url, error.reason, str(error))
            raise error

    def _robots_of(self, url: str) -> Robots:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._robots:
            robots = self._load_robots(f"{origin}/robots.txt")
            delay = robots.delay()
            if delay > LONGEST_DELAY:
                raise SiteRefusedError(
                    f"{origin}/robots.txt",
                    f"robots.txt requires {delay:g} s between requests; the limit is "
                    f"{LONGEST_DELAY:.0f} s",
                )
            self._client.slow_down(url, delay)
            self._robots[origin] = robots
        return self._robots[origin]

    def _load_robots(self, address: str) -> Robots:
        # Redirects inside the site are followed, as RFC 9309, 2.3.1.2 asks.
        hosts = (*self._hosts, host_of(address) or "")
        try:
            page = follow_inside(self._robots_page, PageRequest(address), hosts)
        except FetchError as error:
            raise SiteRefusedError(
                address, f"robots.txt cannot be read ({error.reason})"
            ) from error
        if redirect_target(page) is not None:
            raise SiteRefusedError(address, "robots.txt redirects to another site")
        return read_robots(page.status, page.body)

    def _robots_page(self, request: PageRequest) -> Page:
        done = self._done.get((request.url, False))
        if done is not None:
            return page_of(done, self._store.body(done))
        return self._get(request)

    def _obey_rate_limit(self, answer: Response) -> None:
        remaining = answer.header("X-Ratelimit-Remaining")
        if remaining is not None and (count(remaining.partition(".")[0]) or 0) < 1:
            reset = count(answer.header("X-Ratelimit-Reset")) or 0
            self._client.hold(answer.url, min(float(reset), self._client.settings.longest_wait))

    def _note_fault(self, url: str, reason: str, message: str) -> None:
        self._add(self._writer.fault(url, reason, message, self._client.now()))

    def _add(self, stored: StoredRecord) -> None:
        self._store.add(stored.capture)
        self._note(stored.capture)

    def _note(self, capture: Capture) -> None:
        if capture.kind in {"response", "rendered"}:
            self._done[capture.url, capture.kind == "rendered"] = capture
        elif capture.kind == "revisit" and capture.refers_to is not None:
            base = self._store.by_id(capture.refers_to)
            if base is not None:
                self._done[capture.url, base.kind == "rendered"] = base


def _conditions(earlier: Capture | None) -> dict[str, str]:
    if earlier is None or earlier.status != HTTPStatus.OK:
        return {}
    pairs = (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified"))
    return {
        ask: value for ask, response_field in pairs if (value := earlier.header(response_field))
    }


def _is_same_answer(answer: Response, body: bytes, earlier: Capture) -> bool:
    # Compare only the parts that adapters read.
    if answer.status not in {200, 404} or answer.status != earlier.status:
        return False
    read = ("X-WP-TotalPages", "Content-Type", "ETag", "Last-Modified")
    same_headers = all(answer.header(name) == earlier.header(name) for name in read)
    return same_headers and tagged_digest("body", body) == earlier.body_digest
