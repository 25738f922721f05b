"""The interface of a site's adapter, which parses pages without network and disk."""

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import msgspec

from benchloom.core.icloud_links import normalise_link
from benchloom.core.identity import digest_of_parts
from benchloom.core.records import Listing
from scrapers.errors import PageRefusedError
from scrapers.pages.addresses import host_of
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

Access = Literal["html", "wordpress", "json", "oauth", "browser"]
Evidence = Literal["seen", "deduced", "inferred"]


class Site(ABC):
    """The base class of adapters, each for a site on which people share shortcuts.

    Attributes:
        name: the name that people type.
        home: the address of the site.
        hosts: the hosts that a crawl may contact, by default only the host of `home`.
        access: how the pages are read, for example as HTML or in a browser.
        evidence: how the structure of the pages is known. It was seen in real pages, deduced from
            published rows, or only inferred.
        notes: remarks for people.
        closed: whether the site is closed, so that only its captures can be read.
        newest_first: whether lists begin with the newest entries. A crawl with `--since` stops at
            the first page on which all entries are older.
        robots_apply: whether robots.txt is obeyed. It is always obeyed, except for an API that is
            used under its own terms with credentials.
        has_member_only: whether the site shows some entries only to members. Those are left out,
            unless the operator's settings include them.
        holds_files: whether the site stores shortcut files itself, without iCloud.
        rolling: whether lists show only the newest entries, so that an entry that is no longer
            listed has perhaps not been removed.
    """

    name: ClassVar[str]
    home: ClassVar[str]
    hosts: ClassVar[tuple[str, ...]]
    access: ClassVar[Access]
    evidence: ClassVar[Evidence]
    notes: ClassVar[str] = ""
    closed: ClassVar[bool] = False
    newest_first: ClassVar[bool] = False
    robots_apply: ClassVar[bool] = True
    has_member_only: ClassVar[bool] = False
    holds_files: ClassVar[bool] = False
    rolling: ClassVar[bool] = False

    def is_shortcut_file(self, url: str) -> bool:  # noqa: ARG002  sites with files use it
        """Whether an address is that of a shortcut file; only sites with files override this."""
        return False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "home" in vars(cls) and "hosts" not in vars(cls):
            cls.hosts = (host_of(cls.home) or "",)

    @abstractmethod
    def starts(self) -> tuple[PageRequest, ...]:
        """Return requests for the pages with which a crawl of the site begins."""

    @abstractmethod
    def parse(self, page: Page) -> ParsedPage:
        """Return the content of a page of the site.

        If the address of the page is unknown, its content determines the kind of page.

        Raises:
            PageRefusedError: the markup cannot be parsed in bounded time.
        """


def read_page(site: Site, page: Page) -> ParsedPage:
    """Return the content of a page.

    If the markup takes too long to parse, return a page without entries that has `refused` set.
    """
    try:
        return site.parse(page)
    except PageRefusedError as error:
        return ParsedPage(kind="other", reason=error.reason, refused=error.message)


class Source(msgspec.Struct, frozen=True):
    """The origin of a page: its path in the input, its digest, and the id of its capture."""

    source_uri: str
    source_digest: str
    capture: str | None = None


def listings_of(site: Site, parsed: ParsedPage, source: Source) -> list[Listing]:
    """Return the entries of a parsed page as rows, in the order of the page."""
    listings = []
    for position, entry in enumerate(parsed.entries):
        link = normalise_link(entry.link)
        listings.append(
            Listing(
                **msgspec.structs.asdict(entry),
                listing_id=listing_id(site.name, entry),
                site=site.name,
                icloud_id=link.ids[0] if link.ids else None,
                link_problem=link.problem,
                category=entry.categories[0] if entry.categories else None,
                member_only=False,
                next_page=parsed.next_page.url if parsed.next_page else None,
                capture=source.capture,
                link_capture=None,
                source_uri=source.source_uri,
                source_digest=source.source_digest,
                position=position,
            )
        )
    return listings


def listing_id(site: str, entry: Entry | Listing) -> str:
    """Return the id of an entry, a digest.

    It depends on the address of the entry's own page. For an entry without its own page, it depends
    on the address of the list and on the link or the name of the entry.
    """
    own_page = entry.listing_url if entry.page_kind != "entry" else None
    key_parts = (entry.listing_url or "", entry.link or entry.name or "")
    return digest_of_parts("listing", (site, own_page) if own_page else (site, *key_parts))


def gone_page(page: Page) -> ParsedPage | None:
    """Return the content of an error page if the status is 404 or 410, or None otherwise."""
    if page.status not in {404, 410}:
        return None
    entry = Entry(page_kind="error", state="not_found", listing_url=page.url)
    return ParsedPage(kind="error", entries=(entry,), reason="not_found")


def redirect_target(page: Page) -> str | None:
    """Return the address to which a redirect leads, as the server wrote it, or None."""
    return page.header("Location") if page.status in {301, 302, 303, 307, 308} else None
