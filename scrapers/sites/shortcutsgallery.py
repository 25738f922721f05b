"""The adapter for shortcutsgallery.com, whose category pages are loaded in the browser.

Each press of the button "load more" adds 30 cards. The cards are read after the last press. A
shortcut may be in several categories.
"""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.pages.first_checks import PageSite
from scrapers.pages.html import absolute, attribute, count, first, outermost, paragraphs_of, text_of
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage, RenderPlan
from scrapers.pages.wordpress import icloud_link

HOME = "https://shortcutsgallery.com"
PLAN = RenderPlan(more=".load-more", entry=".shortcut-card")
_CATEGORY = re.compile(r"/shortcuts-category/([^/?#]+)")


class ShortcutsGallery(PageSite):
    name = "shortcutsgallery"
    home = HOME
    access = "browser"
    evidence = "deduced"
    notes = "needs chromium and chromium-driver"

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        match = _CATEGORY.search(page.url or "")
        cards = outermost(root.css(".shortcut-card"))
        if match is None and not cards:
            targets = (
                absolute(page, attribute(node, "href"), HOME) for node in root.css("a[href]")
            )
            categories = dict.fromkeys(t for t in targets if t and _CATEGORY.search(t))
            follow = tuple(PageRequest(target, render=PLAN) for target in categories)
            return ParsedPage(kind="list", follow=follow)
        slug = (
            match.group(1)
            if match
            else attribute(root.css_first("[data-category]"), "data-category")
        )
        return ParsedPage(kind="list", entries=tuple(_card(card, slug, page) for card in cards))


def _card(card: LexborNode, category: str | None, page: Page) -> Entry:
    page_link = first(card, "h3 a", "a.card-title")
    stars = card.css_first("[data-rating]")
    rating = count(attribute(stars, "data-rating"))
    return Entry(
        page_kind="entry",
        listing_url=absolute(page, attribute(page_link, "href"), HOME),
        link=icloud_link(card),
        name=text_of(card.css_first("h3")),
        description=paragraphs_of(first(card, ".card-text", ".description")),
        categories=(category,) if category else (),
        rating=float(rating) if rating is not None else None,
    )


SITE = ShortcutsGallery()
