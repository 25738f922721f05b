"""Check that every site adapter crawls its replica completely and politely, and reads odd pages."""

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchloom.core.records import Listing
from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.posted import Posted
from demo.replica.server import running_replica
from demo.replica.settings import CONTACT, replica_settings
from flows.stages.listings.crawl import crawl_sites
from scrapers.captures import CaptureStore
from scrapers.pages.page import Page, PageRequest
from scrapers.pages.site import Site, Source, listings_of, read_page
from scrapers.sites import SITES
from tests.support.captured_tables import read_listings
from tests.support.politeness import impolite_requests
from tests.support.replica_crawls import DELAY, WholeCrawl, require_browser

NAMES = sorted(SITES.names())
FIELDS = (
    "name", "tagline", "description", "categories", "version", "system_version", "updated",
    "downloads", "favorites", "reads", "rating", "icloud_id", "author",
)  # fmt: skip
ODD_BODIES = (
    b"",
    b"\x00\xff\xfe garbage",
    b"<!doctype html>",
    b"<html>" + b"<div>" * 4_000,
    b"<html><body><h3 class='title is-3'></h3><div class='information'><p></div></html>",
    b"[]",
    b"{}",
    b"[" * 5_000,
    b'[{"link": 5, "acf": {"icloud_link": ["x"]}, "title": null}, null, 3]',
    b'{"data": {"data": [{"data": [{"id": {}, "utime": -1, "url": 7}]}]}}',
    b'{"data": {"children": [{"data": {"created_utc": 1e300, "selftext": null}}, 5]}}',
    b'{"results": [{"id": true, "votes": -3, "downloadURL": "//["}]}',
    b"<html><a href='http://[bad'>x</a><a href='/shortcut/1/'><div class='shortcut-card'></a>",
    b'<html><a href="https://www.icloud.com/shortcuts/zz">x</a><main><h2><a href="/9.html">',
)


_captured = cache(read_listings)


def _site_listings(whole_crawl: WholeCrawl, site: Site) -> list[Listing]:
    listings = _captured(whole_crawl.captures).merged.listings
    return [row for row in listings if row.site == site.name]


def has_a_replica(site: Site, whole_crawl: WholeCrawl) -> None:
    assert set(site.hosts) <= set(RESPONDERS.names())
    assert site.home.startswith("https://")
    assert all(request.url.startswith("https://") for request in site.starts())
    assert whole_crawl.world.posted(site.name)


def fields_of_row(row: Listing) -> dict[str, object]:
    return {name: getattr(row, "author_credit" if name == "author" else name) for name in FIELDS}


def fields_of_posted_entry(entry: Posted) -> dict[str, object]:
    return {name: getattr(entry, name) for name in FIELDS}


def finds_exactly_the_listings_of_the_replica(site: Site, whole_crawl: WholeCrawl) -> None:
    drift = _captured(whole_crawl.captures).drift
    rows = _site_listings(whole_crawl, site)
    shown_listings = sorted((fields_of_row(row) for row in rows), key=repr)
    expected = sorted(map(fields_of_posted_entry, whole_crawl.world.expected(site.name)), key=repr)
    assert shown_listings == expected
    assert not any(host in drift_entry.url for drift_entry in drift for host in site.hosts)
    assert whole_crawl.reports[site.name].listings == len(expected)
    assert whole_crawl.reports[site.name].complete


def has_captures_for_every_row(site: Site, whole_crawl: WholeCrawl) -> None:
    store = CaptureStore(whole_crawl.captures, (site.name,))
    for row in _site_listings(whole_crawl, site):
        capture = store.by_id(row.capture or "")
        assert capture is not None
        assert store.body(capture)
        if row.link_capture is not None:
            redirect = store.by_id(row.link_capture)
            assert redirect is not None
            assert redirect.url == row.download_url
    store.close()


def is_polite(site: Site, whole_crawl: WholeCrawl) -> None:
    sharing = RESPONDERS.only(SharingSite)
    hosts = {host for host, responder in sharing.items() if site.name == responder.SITE}
    requests = [entry for entry in whole_crawl.log if entry.host in hosts]
    assert len(requests) >= 2
    assert impolite_requests(requests, DELAY, CONTACT) == []


def downloads_no_unchanged_body_again(site: Site, whole_crawl: WholeCrawl) -> None:
    second_report = whole_crawl.second_reports[site.name]
    assert second_report.listings == whole_crawl.reports[site.name].listings
    assert second_report.body_bytes == 0
    sent = sum(
        entry.sent
        for entry in whole_crawl.second_log
        if entry.host in site.hosts and entry.method == "GET"
    )
    assert sent == 0


def reports_a_changed_page(site: Site, whole_crawl: WholeCrawl) -> None:
    assert not whole_crawl.reports[site.name].drift
    with TemporaryDirectory() as name, running_replica() as replica:
        replica.faults.add(site.hosts[0], "/", "changed", -1)
        settings = replica_settings(replica, 0.0, timeout=1.0)
        report = crawl_sites([site.name], Path(name), settings, limit=20)[0]
    assert report.drift, site.name
    assert all(line.startswith("capture:sha256:") for line in report.drift)
    assert not report.complete


def reads_odd_bodies_without_errors(site: Site, whole_crawl: WholeCrawl) -> None:
    assert site.name in whole_crawl.reports
    urls = (None, site.starts()[0].url, f"{site.home}/shortcut/7/", f"{site.home}/7.html")
    answered = product(ODD_BODIES, urls, (200,))
    for body, url, status in (*answered, *product(ODD_BODIES, urls[1:2], (404, 503))):
        page = Page(url=url, status=status, headers=(), body=body)
        parsed = read_page(site, page)
        rows = listings_of(site, parsed, Source("odd", "file:sha256:00"))
        assert all(row.site == site.name for row in rows)
        assert all(isinstance(request, PageRequest) for request in parsed.follow)


SUITE = (
    has_a_replica,
    finds_exactly_the_listings_of_the_replica,
    has_captures_for_every_row,
    is_polite,
    downloads_no_unchanged_body_again,
    reports_a_changed_page,
    reads_odd_bodies_without_errors,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", SITES.names())
def test_contract(
    name: str, claim: Callable[[Site, WholeCrawl], None], whole_crawl: WholeCrawl
) -> None:
    site = SITES.find(name)
    if site.access == "browser":
        require_browser()
    claim(site, whole_crawl)
