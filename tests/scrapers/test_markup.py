"""Check that markup which is costly to parse is refused within bounded time and memory."""

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
"""Markup that is refused as soon as the trial parser has read it."""


def repeat_to_size(piece: str, size: int = SIZE) -> str:
    return piece * (size // len(piece))


# Each needs time or memory that grows with the square of its length, or builds a tree as deep as
# the page is long.
COSTLY = {
    "unmatched ends": repeat_to_size("<div></x>"),
    "self-closed blocks": repeat_to_size("<div/>"),
    "lists": repeat_to_size("<ul><li>"),
    "definitions": repeat_to_size("<dl><dd>"),
    "adoption": repeat_to_size("<a><div>"),
    "ends inside comments": repeat_to_size("<div><!--</div>-->"),
    "ends inside attributes": repeat_to_size('<div><p title="</p></div>">'),
    "ends inside scripts": repeat_to_size("<div><script><!--<script></script></div>--></script>"),
    "ends inside character data": repeat_to_size("<svg><![CDATA[></svg>]]>"),
    "foreign cells": repeat_to_size("<svg><td>"),
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

    def spent_seconds() -> float:
        own_seconds = time.process_time()
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return own_seconds + children.ru_utime + children.ru_stime

    start = spent_seconds()
    with pytest.raises(PageRefusedError) as caught:
        parsed_markup(COSTLY[name])
    assert caught.value.reason == "too_complex"
    assert spent_seconds() - start < 5


def test_page_with_too_many_tags_is_refused_before_parsing() -> None:
    with pytest.raises(PageRefusedError, match="tags"):
        parsed_markup("<!-->" * (MAX_MARKS + 1))


def test_long_ordinary_list_is_read_completely() -> None:
    """The page has unclosed paragraphs and items, long scripts and quotes, as real pages do."""
    entry = '<li><p class="a>b">name <b>bold</b><a href="/{}">x</a><br><svg><path d="M0"/></svg>'
    page = "<ul>" + "".join(entry.format(n) for n in range(20_000)) + "</ul>"
    page += "<script>" + "if (a < b) { c(); }\n" * 20_000 + "</script>"
    assert not is_small(page)
    assert len(parsed_markup(page).css("li > p > a[href]")) == 20_000


def test_depth_limit_applies_to_the_parsed_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "_FEW_TAGS", 0)
    parsed_markup("<div>" * (DEEPEST - 2))  # html and body are two more levels
    with pytest.raises(PageRefusedError, match="levels"):
        parsed_markup("<div>" * DEEPEST)
    parsed_markup("<p>" * (2 * DEEPEST))


@pytest.mark.parametrize("name", sorted(SITES.names()))
def test_every_site_reports_a_refused_page(name: str) -> None:
    body = b"<!doctype html><html>" + TOO_DEEP
    site = SITES.find(name)
    parsed = read_page(site, Page(url=f"{site.home}/", status=200, headers=(), body=body))
    if site.access not in {"json", "oauth"}:
        assert (parsed.drift_reason, parsed.reason) == ("too_complex", "too_complex")
        assert "levels" in (parsed.drift or "")


def test_page_after_a_refused_page_is_read(tmp_path: Path) -> None:
    when = "2026-02-03T04:05:06.000007Z"
    valid_body = b'<!doctype html><div class="posts-wrapper"><article><h2><a href="/7.html">Tea</a>'
    deep_body = b"<!doctype html>" + TOO_DEEP
    with CaptureWriter(tmp_path, "rcuts", "rcuts-00001.warc.gz") as writer:
        for number, body in enumerate([deep_body, valid_body]):
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
def test_entries_in_one_element_take_bounded_time(shape: str) -> None:
    body = b"<!doctype html><html><body>" + SHARED[shape].encode()
    for site in SITES.all().values():
        start = time.process_time()
        parsed = read_page(site, Page(url=f"{site.home}/", status=200, headers=(), body=body))
        assert time.process_time() - start < 5, site.name
        assert len(parsed.entries) in {0, 1, 800, 4000}
        assert sum(len(entry.description or "") for entry in parsed.entries) < 10 * len(body)
