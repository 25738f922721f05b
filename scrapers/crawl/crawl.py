"""This module crawls a site: it follows links, collects entries, and reports unreadable pages."""

from collections import deque

import msgspec

from benchloom.core.errors import StoppedError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Listing
from scrapers.errors import FetchError, SiteRefusedError
from scrapers.pages.collector import Collector, reading_of
from scrapers.pages.page import Fetcher, Page, PageRequest, ParsedPage, RenderPlan
from scrapers.pages.site import Site, Source, read_page

MAX_PAGES = 200_000
FAULTS_IN_A_ROW = 5
DISALLOWED = "disallowed"


class Drift(msgspec.Struct, frozen=True):
    """A page that looks changed, because it has no expected entries or cannot be read.

    `capture` is the id of the page's capture. `benchloom reasons` explains the word in `reason`.
    """

    url: str
    capture: str
    message: str
    reason: str = "drift"


class CrawlResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one crawl of a site.

    `listings` contains all rows of all pages, which `benchloom.normalise.listings` merges. `faults`
    are pairs of a URL that was not available and the reason. `refused` says why the site refused
    the crawl, or is None. `complete` is true if the crawl saw the whole site, so that no limit,
    date, fault, drift or refusal kept it from any page.
    """

    site: str
    pages: int
    listings: tuple[Listing, ...]
    drift: tuple[Drift, ...]
    faults: tuple[tuple[str, str], ...]
    refused: str | None
    complete: bool


class _Crawl:
    def __init__(
        self, site: Site, fetcher: Fetcher, limit: int | None, since: str | None, *, rendered: bool
    ) -> None:
        self._site = site
        self._fetcher = fetcher
        self._limit = limit
        self._since = since
        self._rendered = rendered
        self._queue: deque[PageRequest] = deque(site.starts())
        self._next: PageRequest | None = None
        self._requested: set[str] = set()
        self._seen: set[str] = set()
        self._listed: set[str] = set()
        self._dates: list[str] = []
        self._in_a_row = 0
        self.collector = Collector(site)
        self.pages = 0
        self.first: tuple[str, str] | None = None
        self.drift: list[Drift] = []
        self.faults: list[tuple[str, str]] = []
        self.cut = False

    def run(self) -> None:
        while (request := self._take()) is not None:
            if request.url in self._requested:
                continue
            self._requested.add(request.url)
            if self._rendered and request.render is None:
                request = msgspec.structs.replace(request, render=RenderPlan())
            try:
                page = self._fetcher.fetch(request)
            except FetchError as error:
                self._count_fault(request, error)
                continue
            self._in_a_row = 0
            self._read(page)
            if self.pages >= MAX_PAGES:
                raise StoppedError(
                    f"{self._site.name}: the crawl reached the limit of {MAX_PAGES} pages; use "
                    "--limit or --since"
                )

    def look_back(self) -> None:
        # A whole crawl without any listing, although no page looked wrong.
        has_faults = self.drift or any(reason != DISALLOWED for _, reason in self.faults)
        if self.first is not None and not self._listed and not has_faults:
            url, capture = self.first
            self.drift.append(Drift(url, capture, "the crawl found no listing at all"))

    def _take(self) -> PageRequest | None:
        if self._limit is not None and len(self._listed) >= self._limit:
            self.cut = self.cut or bool(self._queue) or self._next is not None
            return None
        if self._queue:
            return self._queue.popleft()
        following, self._next = self._next, None
        if following is not None and self._all_older():
            self.cut = True
            return None
        self._dates = []
        return following

    def _all_older(self) -> bool:
        since = self._since
        if since is None or not self._site.newest_first or not self._dates:
            return False
        return all(date < since for date in self._dates)

    def _count_fault(self, request: PageRequest, error: FetchError) -> None:
        self.faults.append((request.url, error.reason))
        # A page that robots.txt forbids was never requested, so it does not count as failed.
        self._in_a_row += error.reason != DISALLOWED
        if self._in_a_row >= FAULTS_IN_A_ROW:
            raise SiteRefusedError(request.url, f"{FAULTS_IN_A_ROW} requests in a row failed")

    def _read(self, page: Page) -> None:
        parsed = read_page(self._site, page)
        self.pages += 1
        capture = page.capture_id or ""
        self.first = self.first or (page.url or "", capture)
        source = Source(capture, tagged_digest("file", page.body), page.capture_id)
        if parsed.drift is not None:
            self.drift.append(Drift(page.url or "", capture, parsed.drift, parsed.drift_reason))
        reading = reading_of(self._site, page, parsed, source)
        rows = self.collector.add(reading, page.url, page.capture_id)
        self._dates += [row.updated for row in rows if row.updated]
        self._listed.update(r.listing_id for r in rows if r.page_kind in {"detail", "entry"})
        self._follow(parsed, {row.listing_id for row in rows})

    def _follow(self, parsed: ParsedPage, ids: set[str]) -> None:
        fresh = [request for request in parsed.follow if request.url not in self._requested]
        # Pages of this list come before pages queued earlier, in the order of the list.
        self._queue.extendleft(reversed(fresh))
        # A list page without new entries is the last, even if it links a next page.
        if parsed.next_page is not None and (fresh or ids - self._seen):
            self._next = parsed.next_page
        self._seen |= ids


def crawl_site(
    site: Site,
    fetcher: Fetcher,
    *,
    limit: int | None = None,
    since: str | None = None,
    rendered: bool = False,
) -> CrawlResult:
    """Crawl a site and return the result; `fetcher` answers the requests.

    The crawl ends after `limit` listings. On a site that lists the newest entries first, the crawl
    also ends at the first list page with only listings older than `since` (an ISO date). With
    `rendered`, every page is loaded in the browser. If the site refuses requests, the crawl ends
    and the result contains what was read before.
    """
    crawl = _Crawl(site, fetcher, limit, since, rendered=rendered)
    refused: str | None = None
    try:
        crawl.run()
        crawl.look_back()
    except SiteRefusedError as error:
        refused = str(error)
    if not crawl.pages and crawl.faults and refused is None:
        url, reason = crawl.faults[0]
        refused = f"{url}: no page could be fetched ({reason})"
    failed = [reason for _, reason in crawl.faults if reason != DISALLOWED]
    return CrawlResult(
        site=site.name,
        pages=crawl.pages,
        listings=tuple(crawl.collector.listings()),
        drift=tuple(crawl.drift),
        faults=tuple(crawl.faults),
        refused=refused,
        complete=refused is None and not crawl.cut and not failed and not crawl.drift,
    )
