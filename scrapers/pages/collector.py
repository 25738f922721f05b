"""Listings from parsed pages, with what other pages of the site say about them."""

from collections.abc import Set as AbstractSet

import msgspec

from benchloom.records import Listing
from scrapers.pages.addresses import join_address
from scrapers.pages.page import Page, ParsedPage
from scrapers.pages.site import Download, Site, Source, listings_of, with_downloads, with_membership


class PageReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What one page says by itself, whatever other pages say.

    `rows` are its entries before anything is joined to them, `target` is where its download leads,
    `open_ids` and `drift` are as in `ParsedPage`.
    """

    rows: tuple[Listing, ...]
    open_ids: tuple[str, ...]
    target: str | None
    drift: str | None
    drift_reason: str


def reading_of(site: Site, page: Page, parsed: ParsedPage, source: Source) -> PageReading:
    """What a parsed page says by itself."""
    target = parsed.download
    if target is not None and page.url is not None:
        target = join_address(page.url, target) or target
    return PageReading(
        tuple(listings_of(site, parsed, source)),
        parsed.open_ids,
        target,
        parsed.drift,
        parsed.drift_reason,
    )


class Collector:
    """Rows of one site; `listings` joins download targets and membership over all its pages."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._rows: list[Listing] = []
        self._targets: dict[str, Download] = {}
        self._open_ids: set[str] = set()

    def add(
        self,
        reading: PageReading,
        url: str | None,
        capture_id: str | None,
        unless: AbstractSet[str] = frozenset(),
    ) -> list[Listing]:
        """Take in the page of an address, as a capture shows it; its rows before joining.

        A page that looks changed gives none to keep: what stands where a name or a link stood is
        not known, and a page has one fate. Rows of entries in `unless` are left out: a newer page
        speaks for them. So do newer pages for download addresses, which are taken in from the
        newest page to the oldest.
        """
        rows = [row for row in reading.rows if row.listing_id not in unless]
        if reading.drift is None:
            self._rows += rows
        self._open_ids.update(reading.open_ids)
        if reading.target is not None and url is not None:
            self._targets.setdefault(url, Download(reading.target, capture_id))
        return rows

    def listings(self) -> list[Listing]:
        """Every row, joined, in the order the pages came."""
        rows = with_downloads(self._rows, self._targets)
        # Where the open page is missing, nothing is known to be open to everybody.
        if self._site.has_member_only:
            rows = with_membership(rows, self._open_ids)
        return rows
