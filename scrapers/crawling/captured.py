"""Listings from captures alone: every page parsed, the newest of each URL first, and joined."""

from benchloom.identity import ALGORITHM, hex_of
from benchloom.records import Capture, Listing
from scrapers.captures import CaptureStore
from scrapers.crawling.crawl import Drift
from scrapers.pages.collector import Collector
from scrapers.pages.page import Page, ParsedPage, page_of
from scrapers.pages.site import Site, Source, read_page

ROBOTS = "/robots.txt"


def captured_listings(store: CaptureStore, site: Site) -> tuple[list[Listing], list[Drift]]:
    """Every row of every captured page of a site, and the newest pages that look changed.

    The newest answer of a URL speaks for its entries. An entry that only an earlier answer shows
    keeps its row: a page that no longer lists it says nothing about it, a tombstone does. Where the
    newest answer looks changed, an earlier one speaks.
    """
    collector = Collector(site)
    drift: list[Drift] = []
    seen: set[str] = set()
    for capture in store.latest_pages(site.name):
        if capture.url.endswith(ROBOTS):
            continue
        page, parsed = _parsed(store, site, capture)
        rows = collector.add(page, parsed, _source(capture))
        if parsed.drift is None:
            seen.update(row.listing_id for row in rows)
            continue
        drift.append(Drift(capture.url, capture.capture_id, parsed.drift, parsed.drift_reason))
    for capture in store.earlier_pages(site.name):
        if capture.url.endswith(ROBOTS):
            continue
        page, parsed = _parsed(store, site, capture)
        if parsed.drift is None:
            rows = collector.add(page, parsed, _source(capture), unless=seen)
            seen.update(row.listing_id for row in rows)
    return collector.listings(), drift


def _parsed(store: CaptureStore, site: Site, capture: Capture) -> tuple[Page, ParsedPage]:
    page = page_of(capture, store.body(capture))
    return page, read_page(site, page)


def _source(capture: Capture) -> Source:
    digest = f"file:{ALGORITHM}:{hex_of(capture.body_digest)}"
    return Source(capture.capture_id, digest, capture.capture_id)
