"""The adapter for jiejing.fun, whose home page has nine sections that repeat entries."""

import re

from selectolax.lexbor import LexborHTMLParser

from scrapers.pages.first_checks import PageSite, card_list
from scrapers.pages.html import absolute, attribute, first, paragraphs_of, text_of
from scrapers.pages.page import Entry, Page, ParsedPage
from scrapers.pages.wordpress import icloud_link

HOME = "https://jiejing.fun"
_DETAIL = re.compile(r"/sites/(\d+)\.html")


class JiejingFun(PageSite):
    name = "jiejing_fun"
    home = HOME
    access = "html"
    evidence = "inferred"

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        if _DETAIL.search(page.url or "") or root.css_first(".site-content"):
            category = text_of(first(root, ".site-category", ".breadcrumb a:last-child"))
            entry = Entry(
                page_kind="detail",
                listing_url=page.url,
                link=icloud_link(first(root, ".site-content") or root),
                name=text_of(first(root, "h1.site-name", "h1")),
                description=paragraphs_of(first(root, ".site-description", ".site-content p")),
                categories=(category,) if category else (),
            )
            return ParsedPage(kind="detail", entries=(entry,))
        cards: dict[str, Entry] = {}
        node_ids: set[int] = set()
        for section in root.css(".site-section"):
            heading = text_of(first(section, "h4", "h3", "h2"))
            for link in section.css('a[href*="/sites/"]'):
                if link.mem_id in node_ids:
                    continue  # sections inside sections
                node_ids.add(link.mem_id)
                target = absolute(page, attribute(link, "href"), HOME)
                if target and _DETAIL.search(target) and target not in cards:
                    cards[target] = Entry(
                        page_kind="card",
                        listing_url=target,
                        name=text_of(link),
                        categories=(heading,) if heading else (),
                    )
        return card_list(cards.values())


SITE = JiejingFun()
