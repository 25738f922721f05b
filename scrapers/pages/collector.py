"""Collects rows of listings from parsed pages, and adds facts that other pages have about them."""

import msgspec

from benchloom.core.icloud_links import normalise_link
from benchloom.core.records import Listing
from scrapers.pages.addresses import join_address
from scrapers.pages.page import Page, ParsedPage
from scrapers.pages.site import Site, Source, listings_of


class PageReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The content of one page, independent of other pages.

    `rows` are the page's entries before any joining, `target` is the address to which its
    download leads, `open_ids` and `drift` are as in `ParsedPage`.
    """

    rows: tuple[Listing, ...]
    open_ids: tuple[str, ...]
    target: str | None
    drift: str | None
    drift_reason: str


def reading_of(site: Site, page: Page, parsed: ParsedPage, source: Source) -> PageReading:
    """Return the content of a parsed page, independent of other pages."""
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
    """Facts from all pages of a site about its rows: download targets and open entries."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._targets: dict[str, tuple[str, str | None]] = {}
        self._open_ids: set[str] = set()

    def add(self, reading: PageReading, url: str | None, capture_id: str | None) -> None:
        """Add a page; newer pages must be added before older pages.

        `url` is the address of the page and `capture_id` its capture.
        """
        if self._site.has_member_only:
            self._open_ids.update(reading.open_ids)
        if reading.target is not None and url is not None:
            self._targets.setdefault(url, (reading.target, capture_id))

    def joined(self, row: Listing) -> Listing:
        """Return a row with the facts from other pages; call it after all pages were added."""
        download = self._targets.get(row.download_url or "") if row.icloud_id is None else None
        if download is not None:
            target, capture_id = download
            link = normalise_link(target)
            row = msgspec.structs.replace(
                row,
                link=target,
                icloud_id=link.ids[0] if link.ids else None,
                link_problem=link.problem,
                link_capture=capture_id,
            )
        # Without the page of open entries, every entry counts as member-only.
        member_only = self._site.has_member_only and row.icloud_id not in self._open_ids
        if member_only and row.icloud_id is not None:
            return msgspec.structs.replace(row, member_only=True)
        return row


class Collector:
    """Collects the rows of one site in the order of its pages, and joins facts from all pages."""

    def __init__(self, site: Site) -> None:
        self._rows: list[Listing] = []
        self._join = PageJoin(site)

    def add(
        self, reading: PageReading, url: str | None, capture_id: str | None
    ) -> tuple[Listing, ...]:
        """Add a page with its address and capture; return its rows without facts from other pages.

        The rows of a page that looks changed are not kept: a name or a link may have been
        replaced by something unknown, and a page is kept or dropped as a whole.
        """
        if reading.drift is None:
            self._rows += reading.rows
        self._join.add(reading, url, capture_id)
        return reading.rows

    def listings(self) -> list[Listing]:
        """Return every row, with the facts of all its pages joined, in the order of the pages."""
        return [self._join.joined(row) for row in self._rows]
