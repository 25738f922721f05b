"""The first checks on a page, for most sites: gone, not HTML or JSON, or readable."""

from abc import abstractmethod
from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser

from scrapers.pages.html import document, is_html, json_body
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import Site, gone_page


class PageSite(Site):
    """A site of HTML pages; its adapter implements `read` for pages that exist."""

    def starts(self) -> tuple[PageRequest, ...]:
        """Return the home page as the only start page."""
        return (PageRequest(f"{self.home.removesuffix('/')}/"),)

    def parse(self, page: Page) -> ParsedPage:
        """Return the content of a page: gone, not HTML, or the result of `read`."""
        error_page = gone_page(page)
        if error_page is not None:
            return error_page
        if not is_html(page):
            return ParsedPage(kind="other", reason="not_html")
        return self.read(page, document(page))

    @abstractmethod
    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        """Return the content of a page that exists."""


class AnswerSite(Site):
    """A site that answers with JSON instead of HTML; a subclass reads its content with `read`."""

    def parse(self, page: Page) -> ParsedPage:
        """Return the content of a JSON response: gone, or the result of `read`."""
        error_page = gone_page(page)
        return error_page if error_page is not None else self.read(page, json_body(page))

    @abstractmethod
    def read(self, page: Page, body: object | None) -> ParsedPage:
        """Return the content of a JSON response; `body` is None if it is not JSON."""


def card_list(
    cards: Iterable[Entry], next_page: PageRequest | None = None, *, empty_ok: bool = False
) -> ParsedPage:
    """Return the content of a list page; the page of each entry is followed."""
    entries = tuple(cards)
    follow = tuple(PageRequest(card.listing_url) for card in entries if card.listing_url)
    return ParsedPage(
        kind="list", entries=entries, follow=follow, next_page=next_page, empty_ok=empty_ok
    )
