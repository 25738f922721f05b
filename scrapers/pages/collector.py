"""Listings from parsed pages, with what other pages of the site say about them."""

from collections.abc import Set as AbstractSet

from benchloom.records import Listing
from scrapers.pages.addresses import join_address
from scrapers.pages.page import Page, ParsedPage
from scrapers.pages.site import Download, Site, Source, listings_of, with_downloads, with_membership


class Collector:
    """Rows of one site; `listings` joins download targets and membership over all its pages."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rows: list[Listing] = []
        self._targets: dict[str, Download] = {}
        self._open_ids: set[str] = set()

    def add(
        self,
        page: Page,
        parsed: ParsedPage,
        source: Source,
        unless: AbstractSet[str] = frozenset(),
    ) -> list[Listing]:
        """Take in one page; its rows as they stand before joining.

        A page that looks changed gives none to keep: what stands where a name or a link stood is
        not known, and a page has one fate. Rows of entries in `unless` are left out: a newer page
        speaks for them. So do newer pages for download addresses, which are taken in from the
        newest page to the oldest.
        """
        rows = [
            row for row in listings_of(self._site, parsed, source) if row.listing_id not in unless
        ]
        if parsed.drift is None:
            self._rows += rows
        self._open_ids.update(parsed.open_ids)
        if parsed.download is not None and page.url is not None:
            target = join_address(page.url, parsed.download) or parsed.download
            self._targets.setdefault(page.url, Download(target, page.capture_id))
        return rows

    def listings(self) -> list[Listing]:
        """Every row, joined, in the order the pages came."""
        rows = with_downloads(self._rows, self._targets)
        # Where the open page is missing, nothing is known to be open to everybody.
        if self._site.has_member_only:
            rows = with_membership(rows, self._open_ids)
        return rows
