"""Markup that costs a parser more than its length is refused; time and memory stay bounded."""

import resource
import time
from pathlib import Path

import pytest

from scrapers.captures import CaptureWriter
from scrapers.errors import PageRefusedError
from scrapers.pages import markup
from scrapers.pages.markup import DEEPEST, MAX_MARKS, TRIAL_SECONDS, is_small, parsed_markup
from scrapers.pages.page import Page
from scrapers.pages.site import read_page
from scrapers.sites import SITES
from tests.support.captured_tables import read_listings
from tests.support.soak import samples

SIZE = 300_000
TOO_DEEP = b"<div>" * 8 * DEEPEST
"""Refused as soon as its trial has read it."""


def repeated(piece: str, size: int = SIZE) -> str:
    return piece * (size // len(piece))


# Each takes the parser time or memory that grows with the square of the length, or builds a
# tree as deep as the page is long.
COSTLY = {
    "unmatched ends": repeated("<div></x>"),
    "self-closed blocks": repeated("<div/>"),
    "lists": repeated("<ul><li>"),
    "definitions": repeated("<dl><dd>"),
    "adoption": repeated("<a><div>"),
    "ends inside comments": repeated("<div><!--</div>-->"),
    "ends inside attributes": repeated('<div><p title="</p></div>">'),
    "ends inside scripts": repeated("<div><script><!--<script></script></div>--></script>"),
    "ends inside character data": repeated("<svg><![CDATA[></svg>]]>"),
    "foreign cells": repeated("<svg><td>"),
    "attributes": "<div " + " ".join(f"a{n}" for n in range(70_000)) + ">",
    "tags without ends": "".join(f"<b id={n}>" for n in range(SIZE // 10)),
    "formatting copied": "<p>" + "".join(f"<b id={n}>" for n in range(1500)) + "<p>x" * 3000,
    "long formatting copied": "<p>" + f"<b id={'y' * 12_000}>" * 3 + "<p>x" * 300_000,
}


@pytest.mark.parametrize("name", COSTLY)
def test_costly_markup_is_refused_in_bounded_time(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markup, "TRIAL_SECONDS", samples(1, TRIAL_SECONDS))

    def spent() -> float:
        own = time.process_time()
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return own + children.ru_utime + children.ru_stime

    start = spent()
    with pytest.raises(PageRefusedError) as caught:
        parsed_markup(COSTLY[name])
    assert caught.value.reason == "too_complex"
    assert spent() - start < 5


def test_a_page_of_tags_alone_is_refused_unread() -> None:
    with pytest.raises(PageRefusedError, match="tags"):
        parsed_markup("<!-->" * (MAX_MARKS + 1))


def test_a_long_ordinary_list_is_read_whole() -> None:
    """Unclosed paragraphs and items, long scripts and quotes as people write them."""
    entry = '<li><p class="a>b">name <b>bold</b><a href="/{}">x</a><br><svg><path d="M0"/></svg>'
    page = "<ul>" + "".join(entry.format(n) for n in range(20_000)) + "</ul>"
    page += "<script>" + "if (a < b) { c(); }\n" * 20_000 + "</script>"
    assert not is_small(page)
    assert len(parsed_markup(page).css("li > p > a[href]")) == 20_000


def test_depth_is_counted_on_the_tree_that_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "_FEW_TAGS", 0)
    parsed_markup("<div>" * (DEEPEST - 2))  # html and body stand around it
    with pytest.raises(PageRefusedError, match="levels"):
        parsed_markup("<div>" * DEEPEST)
    parsed_markup("<p>" * (2 * DEEPEST))


@pytest.mark.parametrize("name", sorted(SITES.names()))
def test_every_site_says_that_a_page_was_refused(name: str) -> None:
    body = b"<!doctype html><html>" + TOO_DEEP
    site = SITES.find(name)
    parsed = read_page(site, Page(url=f"{site.home}/", status=200, headers=(), body=body))
    if site.access not in {"json", "oauth"}:
        assert (parsed.drift_reason, parsed.reason) == ("too_complex", "too_complex")
        assert "levels" in (parsed.drift or "")


def test_a_refused_page_is_a_row_and_the_next_page_is_read(tmp_path: Path) -> None:
    when = "2026-02-03T04:05:06.000007Z"
    good = b'<!doctype html><div class="posts-wrapper"><article><h2><a href="/7.html">Tea</a>'
    bad = b"<!doctype html>" + TOO_DEEP
    with CaptureWriter(tmp_path, "rcuts", "rcuts-00001.warc.gz") as writer:
        for number, body in enumerate([bad, good]):
            url = f"https://www.rcuts.com/page/{number}"
            writer.response(url, (200, "OK"), (), body, when)
    merged, drift = read_listings(tmp_path)
    assert [row.name for row in merged.listings] == ["Tea"]
    assert [(drift_row.reason, drift_row.url[-1]) for drift_row in drift] == [("too_complex", "0")]


def _links(count: int, around: str) -> str:
    address = "https://www.icloud.com/shortcuts/{:032x}"
    return around + "".join(f'<a href="{address.format(n)}">x</a> t ' for n in range(count))


SHARED = {
    "paragraph": _links(4000, "<p>"),
    "item": _links(4000, "<ul><li>"),
    "cards": _links(800, "<div class=shortcut-card>" * 400),
    "sections": _links(800, "<div class=site-section>" * 300).replace("/shortcuts/", "/sites/"),
}


@pytest.mark.parametrize("shape", SHARED)
def test_entries_that_share_their_surroundings_take_bounded_time(shape: str) -> None:
    body = b"<!doctype html><html><body>" + SHARED[shape].encode()
    for site in SITES.all().values():
        start = time.process_time()
        parsed = read_page(site, Page(url=f"{site.home}/", status=200, headers=(), body=body))
        assert time.process_time() - start < 5, site.name
        assert len(parsed.entries) in {0, 1, 800, 4000}
        assert sum(len(entry.description or "") for entry in parsed.entries) < 10 * len(body)
