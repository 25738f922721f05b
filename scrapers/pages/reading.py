"""What reading a page begins with on most sites: it is gone, of another kind, or to be read."""

from abc import abstractmethod
from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser

from scrapers.pages.html import document, is_html, json_body
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import Site, gone_page


class PageSite(Site):
    """A site of HTML pages; an adapter says in `read` what a page holds that is there."""

    def starts(self) -> tuple[PageRequest, ...]:
        """The home page."""
        return (PageRequest(f"{self.home.removesuffix('/')}/"),)

    def parse(self, page: Page) -> ParsedPage:
        """A page that is gone, one that is no HTML, or what the adapter reads."""
        gone = gone_page(page)
        if gone is not None:
            return gone
        if not is_html(page):
            return ParsedPage(kind="other", reason="not_html")
        return self.read(page, document(page))

    @abstractmethod
    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        """What a page says.

        Raises:
            PageRefusedError: its markup cannot be read in bounded time.
        """


class AnswerSite(Site):
    """A site of JSON answers; an adapter says in `read` what an answer holds."""

    def parse(self, page: Page) -> ParsedPage:
        """An answer that is gone, or what the adapter reads."""
        gone = gone_page(page)
        return gone if gone is not None else self.read(page, json_body(page))

    @abstractmethod
    def read(self, page: Page, body: object | None) -> ParsedPage:
        """What an answer says; `body` is None where it is no JSON."""


def card_list(
    cards: Iterable[Entry], next_page: PageRequest | None = None, *, empty_ok: bool = False
) -> ParsedPage:
    """A list whose entries have pages of their own, which are followed."""
    entries = tuple(cards)
    follow = tuple(PageRequest(card.listing_url) for card in entries if card.listing_url)
    return ParsedPage(
        kind="list", entries=entries, follow=follow, next_page=next_page, empty_ok=empty_ok
    )
