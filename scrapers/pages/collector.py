"""This module collects rows of listings from parsed pages, and completes them from other pages."""

import msgspec

from benchloom.core.icloud_links import normalise_link
from benchloom.core.records import Listing
from scrapers.pages.addresses import join_address
from scrapers.pages.page import Page, ParsedPage
from scrapers.pages.site import Site, Source, listings_of


class PageReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The content of one page, without facts from other pages.

    `rows` are the page's entries. `target` is the address to which a download page leads.
    `open_ids`, `drift` and `drift_reason` are explained in `ParsedPage`.
    """

    rows: tuple[Listing, ...]
    open_ids: tuple[str, ...]
    target: str | None
    drift: str | None
    drift_reason: str


def reading_of(site: Site, page: Page, parsed: ParsedPage, source: Source) -> PageReading:
    """Return the rows and other facts that a parsed page contains, without other pages."""
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
    """Facts from all pages of a site that complete its rows.

    The facts are the targets of download pages, and the ids of entries that are open to everybody.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._targets: dict[str, tuple[str, str | None]] = {}
        self._open_ids: set[str] = set()

    def add(self, reading: PageReading, url: str | None, capture_id: str | None) -> None:
        """Add the facts of a page; newer pages must be added before older pages.

        `url` is the address of the page, and `capture_id` the id of its capture.
        """
        if self._site.has_member_only:
            self._open_ids.update(reading.open_ids)
        if reading.target is not None and url is not None:
            self._targets.setdefault(url, (reading.target, capture_id))

    def joined(self, row: Listing) -> Listing:
        """Return a row completed with facts from other pages.

        All pages must have been added before.
        """
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
    """A collector of the rows of one site, which completes them with facts from all its pages."""

    def __init__(self, site: Site) -> None:
        self._rows: list[Listing] = []
        self._join = PageJoin(site)

    def add(
        self, reading: PageReading, url: str | None, capture_id: str | None
    ) -> tuple[Listing, ...]:
        """Add a page with its address and capture id; return its rows, not yet completed.

        If the page looks changed, `listings` will not contain its rows, because other text may have
        taken the place of a name or a link.
        """
        if reading.drift is None:
            self._rows += reading.rows
        self._join.add(reading, url, capture_id)
        return reading.rows

    def listings(self) -> list[Listing]:
        """Return the completed rows of all pages, in the order in which pages were added."""
        return [self._join.joined(row) for row in self._rows]
