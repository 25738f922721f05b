"""Every site adapter: it crawls its replica whole and politely, and nothing it reads breaks it."""

from pathlib import Path

import pytest

from benchloom.normalise.listings import merge_listings
from benchloom.records import Listing
from demo.replica.log import complaints
from demo.replica.pages import RESPONDERS
from demo.replica.posted import Posted
from demo.replica.server import running_replica
from demo.replica.settings import CONTACT, replica_settings
from flows.stages.listings.crawl import crawl_sites
from scrapers.captures import CaptureStore
from scrapers.crawling.captured import captured_listings
from scrapers.pages.page import Page, PageRequest
from scrapers.pages.site import Site, Source, listings_of, read_page
from scrapers.sites import SITES
from tests.replica_crawls import DELAY, WholeCrawl, needs_browser

NAMES = sorted(SITES.names())
FOURTEEN = 14
SHOWN = (
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


@pytest.fixture(params=NAMES)
def site(request: pytest.FixtureRequest) -> Site:
    found = SITES.find(request.param)
    if found.access == "browser":
        needs_browser()
    return found


def test_there_are_fourteen_and_each_has_a_replica() -> None:
    assert len(NAMES) == FOURTEEN
    hosts = set(RESPONDERS.names())
    for site in SITES.all().values():
        assert set(site.hosts) <= hosts, site.name
        assert site.home.startswith("https://")
        assert all(request.url.startswith("https://") for request in site.starts())


def shown_by_row(row: Listing) -> dict[str, object]:
    return {name: getattr(row, "author_credit" if name == "author" else name) for name in SHOWN}


def shown_by_world(entry: Posted) -> dict[str, object]:
    return {name: getattr(entry, name) for name in SHOWN}


def test_finds_exactly_what_the_site_lists(site: Site, whole_crawl: WholeCrawl) -> None:
    store = CaptureStore(whole_crawl.captures, (site.name,))
    rows, drift = captured_listings(store, site)
    store.close()
    kept = merge_listings(rows).kept
    found = sorted((shown_by_row(row) for row in kept), key=repr)
    expected = sorted(map(shown_by_world, whole_crawl.world.expected(site.name)), key=repr)
    assert found == expected
    assert not drift
    assert whole_crawl.reports[site.name].listings == len(expected)
    assert whole_crawl.reports[site.name].complete


def test_every_row_reaches_its_captures(site: Site, whole_crawl: WholeCrawl) -> None:
    store = CaptureStore(whole_crawl.captures, (site.name,))
    rows, _ = captured_listings(store, site)
    for row in rows:
        capture = store.by_id(row.capture or "")
        assert capture is not None
        assert store.body(capture)
        if row.link_capture is not None:
            redirect = store.by_id(row.link_capture)
            assert redirect is not None
            assert redirect.url == row.download_url
    store.close()


def test_was_polite(site: Site, whole_crawl: WholeCrawl) -> None:
    hosts = {*site.hosts, "www.reddit.com"} if site.name == "reddit" else set(site.hosts)
    seen = [entry for entry in whole_crawl.log if entry.host in hosts]
    assert len(seen) >= 2
    assert complaints(seen, whole_crawl.world, DELAY, CONTACT) == []


def test_a_second_crawl_downloads_no_body(site: Site, whole_crawl: WholeCrawl) -> None:
    again = whole_crawl.again[site.name]
    assert again.listings == whole_crawl.reports[site.name].listings
    assert again.body_bytes == 0
    sent = sum(
        entry.sent
        for entry in whole_crawl.again_log
        if entry.host in site.hosts and entry.method == "GET"
    )
    assert sent == 0


def test_a_changed_page_is_drift(site: Site, tmp_path: Path) -> None:
    with running_replica() as replica:
        replica.faults.add(site.hosts[0], "/", "changed", -1)
        settings = replica_settings(replica, 0.0, timeout=1.0)
        report = crawl_sites([site.name], tmp_path, settings, limit=20)[0]
    assert report.drift, site.name
    assert all(line.startswith("capture:sha256:") for line in report.drift)
    assert not report.complete


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("body", ODD_BODIES, ids=range(len(ODD_BODIES)))
def test_odd_bodies_never_break_it(name: str, body: bytes) -> None:
    site = SITES.find(name)
    for url in (None, site.starts()[0].url, f"{site.home}/shortcut/7/", f"{site.home}/7.html"):
        for status in (200, 404, 503):
            page = Page(url=url, status=status, headers=(), body=body)
            parsed = read_page(site, page)
            rows = listings_of(site, parsed, Source("odd", "file:sha256:00"))
            assert all(row.site == name for row in rows)
            assert all(isinstance(request, PageRequest) for request in parsed.follow)
