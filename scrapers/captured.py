"""Listings from captures alone: the newest page of every URL, parsed and joined."""

from benchloom.identity import tagged_digest
from benchloom.records import Listing
from scrapers.captures import CaptureStore
from scrapers.collector import Collector
from scrapers.crawl import Drift
from scrapers.pages import page_of
from scrapers.site import Site, Source


def captured_listings(store: CaptureStore, site: Site) -> tuple[list[Listing], list[Drift]]:
    """Every row of every captured page of a site, and the pages that look changed."""
    collector = Collector(site)
    drift: list[Drift] = []
    for capture in store.latest_pages(site.name):
        if capture.url.endswith("/robots.txt"):
            continue
        body = store.body(capture)
        page = page_of(capture, body)
        parsed = site.parse(page)
        if parsed.drift is not None:
            drift.append(Drift(capture.url, capture.capture_id, parsed.drift))
        digest = tagged_digest("file", body)
        collector.add(page, parsed, Source(capture.capture_id, digest, capture.capture_id))
    return collector.listings(), drift
