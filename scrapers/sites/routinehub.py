"""The adapter for routinehub.co, which has lists of cards, detail pages and redirects to iCloud.

Its robots.txt forbids crawlers to use the JSON API, but allows the pages. A saved page contains its
own path in `og:url`, so links are complete even if the address of the page is unknown.
"""

import itertools
import re
from datetime import date
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.pages.addresses import join_address
from scrapers.pages.first_checks import card_list
from scrapers.pages.html import (
    absolute,
    ancestors,
    attribute,
    clean,
    count,
    document,
    first,
    is_html,
    labelled,
    outermost,
    paragraphs_of,
    text_of,
)
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import Site, gone_page, redirect_target

HOME = "https://routinehub.co"
MAX_ITEMS = 16
NO_DESCRIPTION = "No description"
_SHORTCUT = re.compile(r"(?:^|/)shortcut/(\d+)(?:[/?#.]|$)")
_DOWNLOAD = re.compile(r"(?:^|/)download/(\d+)")
_ERRORS = {"not found": "not_found", "nsfw": "nsfw", "log in": "login"}


class RoutineHub(Site):
    name = "routinehub"
    home = HOME
    access = "html"
    evidence = "seen"
    notes = "real pages of 2020"
    newest_first = True

    def starts(self) -> tuple[PageRequest, ...]:
        return (PageRequest(f"{HOME}/shortcuts/?page=1&sort=newest"),)

    def parse(self, page: Page) -> ParsedPage:
        if "/download/" in (page.url or ""):
            return ParsedPage(kind="download", download=redirect_target(page))
        if not is_html(page):
            return ParsedPage(kind="other", reason="not_html")
        root = document(page)
        address = _address(page, root)
        error = _error_page(root, address)
        if error is not None:
            return error
        error_page = gone_page(page)
        if error_page is not None:
            return error_page
        path = re.sub(r"\?.*", "", address or "").removeprefix(HOME)
        if re.fullmatch(r"/shortcut/\d+/?", path) or root.css_first(".information") is not None:
            return _detail(page, root, address)
        if root.css_first(".shortcut-card") or path.startswith(("/shortcuts", "/category/")):
            return _list(root, address)
        return ParsedPage(kind="other", reason="no_listing_on_page")


def _address(page: Page, root: LexborHTMLParser) -> str | None:
    if page.url is not None:
        return page.url
    meta_url = attribute(root.css_first('meta[property="og:url"]'), "content")
    return join_address(HOME, meta_url)


def _error_page(root: LexborHTMLParser, address: str | None) -> ParsedPage | None:
    title = text_of(root.css_first("h3.title.is-3"))
    if title is None or not title.lower().startswith("error:"):
        return None
    state = next((state for mark, state in _ERRORS.items() if mark in title.lower()), "refused")
    entry = Entry(page_kind="error", state=state, listing_url=_detail_address(address))
    return ParsedPage(kind="error", entries=(entry,), reason=state)


def _detail_address(target: str | None) -> str | None:
    match = _SHORTCUT.search(target or "")
    return f"{HOME}/shortcut/{match.group(1)}/" if match else None


def _detail(page: Page, root: LexborHTMLParser, address: str | None) -> ParsedPage:
    lines = [text_of(node) for node in root.css(".information p")]
    heart = attribute(root.css_first(".heart"), "data-id")
    page_address = _detail_address(address) or (f"{HOME}/shortcut/{heart}/" if heart else None)
    download = _download_address(page, root)
    description = paragraphs_of(root.css_first(".description .content"))
    entry = Entry(
        page_kind="detail",
        listing_url=page_address,
        name=text_of(first(root, ".shortcut-header h3.title", "h3.title.is-3")),
        tagline=text_of(first(root, ".shortcut-header h4.subtitle", "h4.subtitle.is-4")),
        description=None if description == NO_DESCRIPTION else description,
        categories=tuple(
            name
            for node in root.css('.information ul li a[href*="category"]')
            if (name := text_of(node)) is not None
        ),
        version=_line(lines, "Version"),
        system_version=_line(lines, "iOS"),
        updated=_iso_date(_line(lines, "Updated")),
        downloads=count(_line(lines, "Downloads")),
        favorites=count(text_of(root.css_first(".heart-count"))),
        author_credit=text_of(root.css_first('.information a[href*="user/"]')),
        download_url=download,
    )
    follow = (PageRequest(download),) if download else ()
    return ParsedPage(kind="detail", entries=(entry,), follow=follow)


def _line(lines: list[str | None], label: str) -> str | None:
    # The label may be inside a line, since one paragraph is not closed.
    for line in lines:
        value = labelled(line, rf"^{label}:\s*(.*)$")
        if value is not None:
            return value
    return None


def _iso_date(text: str | None) -> str | None:
    # 10/12/18 (month first) becomes 2018-10-12; other forms stay unchanged.
    match = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{2})", text or "")
    if match is None:
        return text
    month, day, year = map(int, match.groups())
    try:
        return date(2000 + year, month, day).isoformat()
    except ValueError:
        return text


def _download_address(page: Page, root: LexborHTMLParser) -> str | None:
    # Newer addresses have a signed token.
    target = attribute(root.css_first('.actions a[href*="download/"]'), "href")
    match = _DOWNLOAD.search(target or "")
    if target is None or match is None:
        return None
    if page.url is None or target.endswith(".html"):
        return f"{HOME}/download/{match.group(1)}"
    return absolute(page, target, HOME)


def _list(root: LexborHTMLParser, address: str | None) -> ParsedPage:
    entries = tuple(_card(card) for card in outermost(root.css(".shortcut-card")))
    return card_list(entries, _next_page(root, address))


def _card(card: LexborNode) -> Entry:
    around = next((node for node in ancestors(card) if node.tag == "a"), None)
    counts = {
        kind: count(text_of(item))
        for item in card.css(".level-item")[:MAX_ITEMS]
        for kind in ("download", "heart")
        if item.css_first(f".fa-{kind}") is not None
    }
    return Entry(
        page_kind="card",
        listing_url=_detail_address(attribute(around, "href")),
        name=text_of(card.css_first("strong")),
        tagline=text_of(first(card, ".content p small", ".content small")),
        categories=tuple(
            title for node in card.css("i[title]") if (title := clean(attribute(node, "title")))
        ),
        downloads=counts.get("download"),
        favorites=counts.get("heart"),
    )


def _next_page(root: LexborHTMLParser, address: str | None) -> PageRequest | None:
    # Saved pages hide the query in an escaped `?`.
    numbered = root.css(".pagination-list .pagination-link")
    for link, following in itertools.pairwise(numbered):
        if "is-current" in (attribute(link, "class") or ""):
            target = unquote(attribute(following, "href") or "").removesuffix(".html")
            query = target.partition("?")[2]
            next_url = join_address(address or f"{HOME}/shortcuts/", f"?{query}")
            return PageRequest(next_url) if next_url else None
    return None


SITE = RoutineHub()
