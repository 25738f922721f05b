"""A generic adapter for sites whose structure is unknown.

The adapter follows links inside the site, and turns every link to a shortcut on iCloud into an
entry. It reads only the text of a link, the text around it, and the heading above it.
"""

from urllib.parse import urldefrag

from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchloom.core.icloud_links import canonical_link, find_ids
from scrapers.pages.addresses import host_of
from scrapers.pages.first_checks import PageSite
from scrapers.pages.html import TextAround, absolute, ancestors, attribute, clean, text_of
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

MAX_LINKS = 200
_CALLS = frozenset({"download", "get", "get shortcut", "get the shortcut", "herunterladen", "hier"})
_NOT_PAGES = (
    *(".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".pdf", ".zip", ".mp4", ".css", ".js"),
)


class HarvestSite(PageSite):
    """The base class of adapters for sites on which only links are read."""

    access = "html"
    evidence = "inferred"

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        """Return an entry for each iCloud link on a page, and the linked pages of the same site."""
        entries: dict[str, Entry] = {}
        heading: str | None = None
        texts = TextAround(page)
        for node in root.css("h1, h2, h3, h4, a[href]"):
            if node.tag != "a":
                heading = text_of(node)
                continue
            for icloud_id in find_ids(attribute(node, "href") or ""):
                if icloud_id not in entries:
                    entries[icloud_id] = _entry(page, node, heading, icloud_id, texts)
        follow = self._own_pages(page, [attribute(n, "href") for n in root.css("a[href]")])
        return ParsedPage(
            kind="list",
            entries=tuple(entries.values()),
            follow=tuple(PageRequest(target) for target in follow),
            empty_ok=page.url not in {self.home, self.home.rstrip("/")},
        )

    def _own_pages(self, page: Page, links: list[str | None]) -> list[str]:
        page_urls: dict[str, None] = {}
        for link in links:
            target = urldefrag(absolute(page, link, self.home) or "").url
            is_page = not target.lower().endswith(_NOT_PAGES) and "?" not in target
            if host_of(target) in self.hosts and is_page and target != page.url:
                page_urls.setdefault(target)
        return list(page_urls)[:MAX_LINKS]


def _entry(
    page: Page, link: LexborNode, heading: str | None, icloud_id: str, texts: TextAround
) -> Entry:
    label = text_of(link)
    around = next((node for node in ancestors(link) if node.tag in {"p", "li", "td"}), None)
    called = label is not None and label.lower() not in _CALLS and "icloud.com" not in label
    return Entry(
        page_kind="entry",
        listing_url=page.url,
        link=canonical_link(icloud_id),
        name=label if called else heading,
        description=clean((texts.of(around) or "").removesuffix(label or "")),
    )
