"""The interface of a site adapter: start pages and a page parser, without network and disk."""

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
    """One sharing site.

    `name` is what people type, `home` the site's address, `hosts` the hosts a crawl may contact
    (only the home's host if the site names none). `evidence` says how the structure of its pages is
    known: seen in a source, deduced from published rows, or inferred. A `closed` site answers from
    captures only. The crawl may stop reading `newest_first` lists at the first page with only
    entries older than `--since`. `robots_apply` is off only for an API that is used under its own
    terms with credentials. `has_member_only` sites list some entries only for members; these are
    left out unless the operator's settings include them. A site that `holds_files` serves shortcuts
    itself, without iCloud. A `rolling` list shows its newest entries only, so an entry that is no
    longer in the list may just be old.
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
        """Whether an address is that of a shortcut file, which only some sites have."""
        return False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "home" in vars(cls) and "hosts" not in vars(cls):
            cls.hosts = (host_of(cls.home) or "",)

    @abstractmethod
    def starts(self) -> tuple[PageRequest, ...]:
        """Return the pages with which a crawl begins."""

    @abstractmethod
    def parse(self, page: Page) -> ParsedPage:
        """Return the content of a page; without an address, the content shows the kind of page.

        Raises:
            PageRefusedError: the markup cannot be read in bounded time; see `read_page`.
        """


def read_page(site: Site, page: Page) -> ParsedPage:
    """Return the content of a page, or a refused page if its markup takes too long to read."""
    try:
        return site.parse(page)
    except PageRefusedError as error:
        return ParsedPage(kind="other", reason=error.reason, refused=error.message)


class Source(msgspec.Struct, frozen=True):
    """The origin of a page: its path relative to the input, its digest and its capture."""

    source_uri: str
    source_digest: str
    capture: str | None = None


def listings_of(site: Site, parsed: ParsedPage, source: Source) -> list[Listing]:
    """Return the entries of one page as rows, in the page's order."""
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
    """Return an entry's id.

    It is derived from the address of its page, or from the list's page and the link or name.
    """
    own_page = entry.listing_url if entry.page_kind != "entry" else None
    key_parts = (entry.listing_url or "", entry.link or entry.name or "")
    return digest_of_parts("listing", (site, own_page) if own_page else (site, *key_parts))


def gone_page(page: Page) -> ParsedPage | None:
    """Return an error page if the status (404 or 410) says that the entry does not exist."""
    if page.status not in {404, 410}:
        return None
    entry = Entry(page_kind="error", state="not_found", listing_url=page.url)
    return ParsedPage(kind="error", entries=(entry,), reason="not_found")


def redirect_target(page: Page) -> str | None:
    """Return the target of a redirect, as the server wrote it, or None for other pages."""
    return page.header("Location") if page.status in {301, 302, 303, 307, 308} else None
