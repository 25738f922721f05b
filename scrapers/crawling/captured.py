"""Listings from captures alone: every page read, the newest of each URL first, and joined."""

from benchloom.records import Listing
from scrapers.captures import CaptureStore
from scrapers.crawling.crawl import Drift
from scrapers.crawling.readings import FreshReadings, Readings, is_read
from scrapers.pages.collector import Collector
from scrapers.pages.site import Site


def captured_listings(
    store: CaptureStore, site: Site, readings: Readings | None = None
) -> tuple[list[Listing], list[Drift]]:
    """Every row of every captured page of a site, and the newest pages that look changed.

    The newest answer of a URL speaks for its entries. An entry that only an earlier answer shows
    keeps its row: a page that no longer lists it says nothing about it, a tombstone does. Where the
    newest answer looks changed, an earlier one speaks. Without `readings` the bodies are read here.
    """
    readings = readings or FreshReadings(store)
    collector = Collector(site)
    drift: list[Drift] = []
    seen: set[str] = set()
    for capture in filter(is_read, store.latest_pages(site.name)):
        reading = readings.of(capture).page
        if reading is None:
            continue
        rows = collector.add(reading, capture.url, capture.capture_id)
        if reading.drift is None:
            seen.update(row.listing_id for row in rows)
            continue
        drift.append(Drift(capture.url, capture.capture_id, reading.drift, reading.drift_reason))
    for capture in filter(is_read, store.earlier_pages(site.name)):
        reading = readings.of(capture).page
        if reading is not None and reading.drift is None:
            rows = collector.add(reading, capture.url, capture.capture_id, unless=seen)
            seen.update(row.listing_id for row in rows)
    return collector.listings(), drift
