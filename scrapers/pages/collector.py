"""Listings from parsed pages, with what other pages of the site say about them."""

import msgspec

from benchloom.core.records import Listing
from scrapers.pages.addresses import join_address
from scrapers.pages.page import Page, ParsedPage
from scrapers.pages.site import Download, Site, Source, listings_of, with_download, with_membership


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


class PageJoin:
    """What all pages of a site say about its rows: where downloads lead, what is open to all."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._targets: dict[str, Download] = {}
        self._open_ids: set[str] = set()

    def add(self, reading: PageReading, url: str | None, capture_id: str | None) -> None:
        """Take in the page of an address, as a capture shows it; newer pages before older ones."""
        if self._site.has_member_only:
            self._open_ids.update(reading.open_ids)
        if reading.target is not None and url is not None:
            self._targets.setdefault(url, Download(reading.target, capture_id))

    def joined(self, row: Listing) -> Listing:
        """A row with what other pages say of it, once all of them were taken in."""
        row = with_download(row, self._targets)
        # Where the open page is missing, nothing is known to be open to everybody.
        return with_membership(row, self._open_ids) if self._site.has_member_only else row


class Collector:
    """Rows of one site in the order its pages come, joined over all of them."""

    def __init__(self, site: Site) -> None:
        self._rows: list[Listing] = []
        self._join = PageJoin(site)

    def add(
        self, reading: PageReading, url: str | None, capture_id: str | None
    ) -> tuple[Listing, ...]:
        """Take in the page of an address, as a capture shows it; its rows before joining.

        A page that looks changed gives none to keep: what stands where a name or a link stood is
        not known, and a page has one fate.
        """
        if reading.drift is None:
            self._rows += reading.rows
        self._join.add(reading, url, capture_id)
        return reading.rows

    def listings(self) -> list[Listing]:
        """Every row, joined, in the order the pages came."""
        return [self._join.joined(row) for row in self._rows]
