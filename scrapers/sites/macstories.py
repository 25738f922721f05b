"""The adapter for macstories.net/shortcuts, one page with headings for categories of entries.

The category of an entry is the nearest heading before the entry. An entry may first link to an app
or an article, but only a link to a shortcut on iCloud makes it a listing.
"""

from collections import Counter

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.pages.first_checks import PageSite
from scrapers.pages.html import ancestors, attribute, clean, first, text_of
from scrapers.pages.page import Entry, Page, ParsedPage

HOME = "https://www.macstories.net"
MAX_SHARING = 16
"""The number of links in a container above which the container's text describes none of them."""
_CONTAINERS = frozenset({"li", "article", "p", "td", "dd"})
_HEADINGS = frozenset({"h2", "h3"})


class MacStories(PageSite):
    name = "macstories"
    home = f"{HOME}/shortcuts/"
    access = "html"
    evidence = "deduced"

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        entries: list[Entry] = []
        category: str | None = None
        # Containers are read once: one may hold thousands of links.
        around_by_container: dict[int, _Around] = {}
        nodes = root.css('h2, h3, a[href*="icloud.com/shortcuts"]')
        containers = {n.mem_id: _container(n) for n in nodes if n.tag not in _HEADINGS}
        shared = Counter(container.mem_id for container in containers.values())
        for node in nodes:
            if node.tag in _HEADINGS:
                category = text_of(node)
                continue
            link_container = containers[node.mem_id]
            if link_container.mem_id not in around_by_container:
                around_by_container[link_container.mem_id] = _around(
                    link_container, shared[link_container.mem_id]
                )
            entries.append(
                _entry(
                    node,
                    category,
                    page.url or self.home,
                    around_by_container[link_container.mem_id],
                )
            )
        return ParsedPage(kind="list", entries=tuple(entries))


def _container(link: LexborNode) -> LexborNode:
    return next((node for node in ancestors(link) if node.tag in _CONTAINERS), link)


class _Around(msgspec.Struct, frozen=True):
    titled: bool
    name: str | None
    paragraph: str | None
    text: str


def _around(container: LexborNode, shared: int) -> _Around:
    title = first(container, "h4", "strong", "b")
    paragraph = container.css_first("p") if container.tag != "p" else None
    text = text_of(container) or "" if shared <= MAX_SHARING else ""
    return _Around(title is not None, text_of(title), text_of(paragraph), text)


def _entry(link: LexborNode, category: str | None, address: str, around: _Around) -> Entry:
    label = text_of(link)
    name = around.name if around.titled else label
    description = around.text.removeprefix(name or "").removesuffix(label or "")
    return Entry(
        page_kind="entry",
        listing_url=address,
        link=attribute(link, "href"),
        name=name,
        description=around.paragraph or clean(description.strip(" :-\u2013\u2014")),
        categories=(category,) if category else (),
    )


SITE = MacStories()
