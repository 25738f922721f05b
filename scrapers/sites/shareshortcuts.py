"""The adapter for shareshortcuts.com, which has numbered detail pages with a header box.

The header box contains category, likes and downloads. The description is the text after the box.
"""

import re

from selectolax.lexbor import LexborHTMLParser

from scrapers.pages.first_checks import PageSite, card_list
from scrapers.pages.html import (
    absolute,
    attribute,
    count,
    document,
    first,
    is_html,
    labelled,
    paragraphs_of,
    text_of,
)
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import redirect_target
from scrapers.pages.wordpress import icloud_link, next_theme_page

HOME = "https://shareshortcuts.com"
_DETAIL = re.compile(r"/shortcuts/(\d+)-[^/?#]+\.html")


class ShareShortcuts(PageSite):
    name = "shareshortcuts"
    home = HOME
    access = "html"
    evidence = "inferred"

    def starts(self) -> tuple[PageRequest, ...]:
        return (PageRequest(f"{HOME}/shortcuts/"),)

    def parse(self, page: Page) -> ParsedPage:
        if "/download/" in (page.url or ""):
            target = redirect_target(page)
            if target is None and is_html(page):
                target = icloud_link(document(page))
            return ParsedPage(kind="download", download=target)
        return super().parse(page)

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        if _DETAIL.search(page.url or "") or root.css_first(".shortcut-header"):
            return _detail(page, root)
        return _list(page, root)


def _list(page: Page, root: LexborHTMLParser) -> ParsedPage:
    entry_by_url: dict[str, Entry] = {}
    for link in root.css('a[href*="/shortcuts/"]'):
        target = absolute(page, attribute(link, "href"), HOME)
        if target and _DETAIL.search(target) and target not in entry_by_url:
            entry_by_url[target] = Entry(page_kind="card", listing_url=target, name=text_of(link))
    return card_list(entry_by_url.values(), next_theme_page(page, root, HOME))


def _detail(page: Page, root: LexborHTMLParser) -> ParsedPage:
    box = first(root, ".shortcut-header", "header.shortcut", ".header-box")
    text = text_of(box)
    link = root.css_first('a[href*="/download/"]')
    download = absolute(page, attribute(link, "href"), HOME)
    category = text_of(box.css_first(".category, a[href*='/category/']")) if box else None
    entry = Entry(
        page_kind="detail",
        listing_url=page.url,
        name=text_of(box.css_first("h1")) if box else None,
        description=paragraphs_of(first(root, ".shortcut-header ~ .description", ".description")),
        categories=(category,) if category else (),
        version=labelled(text, r"Version\s+(\S+)"),
        updated=labelled(text, r"Updated\s+(.+?\sago)"),
        downloads=count(labelled(text, r"([\d.,]+)\s+unique downloads")),
        favorites=count(labelled(text, r"Like\s*\(([\d.,]+)\)")),
        link=icloud_link(root),
        download_url=download,
    )
    return ParsedPage(
        kind="detail", entries=(entry,), follow=(PageRequest(download),) if download else ()
    )


SITE = ShareShortcuts()
