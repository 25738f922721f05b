"""Base classes of site adapters, which check that a page exists and is HTML or JSON."""

from abc import abstractmethod
from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser

from scrapers.pages.html import document, is_html, json_body
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import Site, gone_page


class PageSite(Site):
    """The base class of adapters for sites with HTML pages.

    A subclass implements `read`, which gets only pages that exist.
    """

    def starts(self) -> tuple[PageRequest, ...]:
        """Return the home page as the only start page."""
        return (PageRequest(f"{self.home.removesuffix('/')}/"),)

    def parse(self, page: Page) -> ParsedPage:
        """Return the result of `read`, or an error page if the page is gone or not HTML."""
        error_page = gone_page(page)
        if error_page is not None:
            return error_page
        if not is_html(page):
            return ParsedPage(kind="other", reason="not_html")
        return self.read(page, document(page))

    @abstractmethod
    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        """Return the content of an HTML page that exists; `root` is the parsed page."""


class AnswerSite(Site):
    """The base class of adapters for sites that respond with JSON; a subclass implements `read`."""

    def parse(self, page: Page) -> ParsedPage:
        """Return the result of `read`, or an error page if the page is gone."""
        error_page = gone_page(page)
        return error_page if error_page is not None else self.read(page, json_body(page))

    @abstractmethod
    def read(self, page: Page, body: object | None) -> ParsedPage:
        """Return the content of a response; `body` is its JSON value, or None if it is not JSON."""


def card_list(
    cards: Iterable[Entry], next_page: PageRequest | None = None, *, empty_ok: bool = False
) -> ParsedPage:
    """Return the content of a list page, from which the crawler follows the page of each entry."""
    entries = tuple(cards)
    follow = tuple(PageRequest(card.listing_url) for card in entries if card.listing_url)
    return ParsedPage(
        kind="list", entries=entries, follow=follow, next_page=next_page, empty_ok=empty_ok
    )
