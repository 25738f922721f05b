"""Check the reading that sites share: missing pages, other content types, lists and details."""

import itertools
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

import scrapers.sites
from scrapers.pages.first_checks import AnswerSite, PageSite, card_list
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

MAX_SHARED_LINES = 9
"""Maximum number of consecutive lines that two adapters may share."""


class Pages(PageSite):
    name = "pages"
    home = "https://pages.example"
    access = "html"
    evidence = "seen"

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        assert root.body is not None
        return ParsedPage(kind="detail", download=page.url)


class Answers(AnswerSite):
    name = "answers"
    home = "https://answers.example:444/api"
    hosts = ("a.example", "b.example")
    access = "json"
    evidence = "seen"

    def starts(self) -> tuple[PageRequest, ...]:
        return ()

    def read(self, page: Page, body: object | None) -> ParsedPage:
        return ParsedPage(kind="list", reason=repr(body), download=page.url)


class Near(Pages):
    home = "https://near.example/all/"


def page(body: bytes, status: int = 200) -> Page:
    return Page(url="https://pages.example/7", status=status, headers=(), body=body)


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("body", [b"<html><p>gone</p>", b"{}", b""])
def test_missing_page_is_reported_as_not_found(status: int, body: bytes) -> None:
    for site in (Pages(), Answers()):
        parsed_page = site.parse(page(body, status))
        assert (parsed_page.kind, parsed_page.reason) == ("error", "not_found")
        assert [entry.listing_url for entry in parsed_page.entries] == ["https://pages.example/7"]


def test_only_html_pages_are_read() -> None:
    assert Pages().parse(page(b"<html><p>x")).kind == "detail"
    assert Pages().parse(page(b"<html><p>x", 503)).kind == "detail"
    for body in (b"", b"{}", b"GIF89a"):
        assert Pages().parse(page(body)) == ParsedPage(kind="other", reason="not_html")


def test_answer_is_read_as_json_or_none() -> None:
    assert Answers().parse(page(b'{"a": 1}')).reason == "{'a': 1}"
    assert Answers().parse(page(b"<html>")).reason == "None"


def test_default_start_of_a_site_is_its_home() -> None:
    assert Pages.hosts == ("pages.example",)
    assert Pages().starts() == (PageRequest("https://pages.example/"),)
    assert Near.hosts == ("near.example",)
    assert Near().starts() == (PageRequest("https://near.example/all/"),)
    assert Answers.hosts == ("a.example", "b.example")


def test_card_list_follows_its_entries() -> None:
    cards = [Entry(page_kind="card", listing_url="https://x.example/1"), Entry(page_kind="card")]
    following = PageRequest("https://x.example/?page=2")
    card_page = card_list(iter(cards), following)
    assert card_page == ParsedPage(
        kind="list",
        entries=tuple(cards),
        follow=(PageRequest("https://x.example/1"),),
        next_page=following,
    )
    assert card_list([]).drift == "a list page without entries"
    assert card_list([], empty_ok=True).drift is None


def line_runs(file: Path) -> set[tuple[str, ...]]:
    """Return every run of lines that is longer than two adapters may share, without imports."""
    lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    code_lines = [line for line in lines if line and not line.startswith(("import ", "from "))]
    return {
        tuple(code_lines[at : at + MAX_SHARED_LINES + 1])
        for at in range(len(code_lines) - MAX_SHARED_LINES)
    }


def test_adapters_share_no_long_passage() -> None:
    files = sorted(Path(scrapers.sites.__path__[0]).glob("*.py"))
    assert len(files) > 10
    for file, other in itertools.combinations(files, 2):
        shared = line_runs(file) & line_runs(other)
        assert not shared, f"{file.name} and {other.name}: {min(shared)[0]}"
