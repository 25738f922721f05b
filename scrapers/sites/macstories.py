"""macstories.net/shortcuts: one page, a heading per category, entries under it.

The category of an entry is the nearest heading before it. An entry may link an app or an article
first; only a link to iCloud shortcuts makes it a listing.
"""

from selectolax.lexbor import LexborNode

from scrapers.html import ancestors, attribute, clean, document, first, is_html, text_of
from scrapers.pages import Entry, Page, PageRequest, ParsedPage
from scrapers.site import Site, gone_page

HOME = "https://www.macstories.net"
_CONTAINERS = frozenset({"li", "article", "p", "td", "dd"})
_HEADINGS = frozenset({"h2", "h3"})


class MacStories(Site):
    """Everything on one page."""

    name = "macstories"
    home = f"{HOME}/shortcuts/"
    hosts = ("www.macstories.net",)
    access = "html"
    evidence = "deduced"

    def starts(self) -> tuple[PageRequest, ...]:
        """The archive page."""
        return (PageRequest(self.home),)

    def parse(self, page: Page) -> ParsedPage:
        """The archive page with all its entries."""
        gone = gone_page(page)
        if gone is not None:
            return gone
        if not is_html(page):
            return ParsedPage(kind="other", reason="not_html")
        root = document(page)
        entries: list[Entry] = []
        category: str | None = None
        for node in root.css('h2, h3, a[href*="icloud.com/shortcuts"]'):
            if node.tag in _HEADINGS:
                category = text_of(node)
            else:
                entries.append(_entry(node, category, page.url or self.home))
        return ParsedPage(kind="list", entries=tuple(entries))


def _entry(link: LexborNode, category: str | None, address: str) -> Entry:
    around = next((node for node in ancestors(link) if node.tag in _CONTAINERS), link)
    title = first(around, "h4", "strong", "b") or link
    name = text_of(title)
    paragraph = around.css_first("p") if around.tag != "p" else None
    said = (text_of(around) or "").removeprefix(name or "").removesuffix(text_of(link) or "")
    description = text_of(paragraph) or clean(said.strip(" :-\u2013\u2014"))
    return Entry(
        page_kind="entry",
        listing_url=address,
        link=attribute(link, "href"),
        name=name,
        description=description,
        categories=(category,) if category else (),
    )


SITE = MacStories()
