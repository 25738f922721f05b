"""Types between fetching and parsing: page requests, pages, and their parsed content."""

from typing import Literal, Protocol

import msgspec

from benchloom.core.records import Capture, Header, PageKind, header_value

ParsedKind = Literal["list", "detail", "error", "download", "other"]


class RenderPlan(msgspec.Struct, frozen=True):
    """How the browser loads all entries of a page.

    `more` is the button that appends entries, pressed until it disappears, nothing new appears, or
    it was pressed `most` times; `entry` matches an entry (both are CSS selectors).
    """

    more: str | None = None
    entry: str | None = None
    most: int = 400


class PageSource(msgspec.Struct, frozen=True):
    """A response that a rendered page was made from, with its validator (ETag)."""

    url: str
    etag: str | None


class RenderedPage(msgspec.Struct, frozen=True):
    """A document after its scripts ran, in UTF-8, and the responses it was made from."""

    html: bytes
    sources: tuple[PageSource, ...] = ()


class PageRequest(msgspec.Struct, frozen=True):
    """A page to fetch: `render` opens it in a browser, and `signed_in` asks as an API client.

    With `fresh`, a page that the run already has is requested again (an address in the page may
    have expired).
    """

    url: str
    render: RenderPlan | None = None
    signed_in: bool = False
    fresh: bool = False


class Page(msgspec.Struct, frozen=True):
    """One page as received. `url` is None for a saved page whose address is unknown."""

    url: str | None
    status: int
    headers: tuple[Header, ...]
    body: bytes
    capture_id: str | None = None
    rendered: bool = False

    def header(self, name: str) -> str | None:
        """Return the value of the first header called `name`, ignoring letter case."""
        return header_value(self.headers, name)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One shortcut as a page describes it, fields as in `Listing`."""

    page_kind: PageKind
    state: str = "listed"
    listing_url: str | None = None
    link: str | None = None
    name: str | None = None
    tagline: str | None = None
    description: str | None = None
    categories: tuple[str, ...] = ()
    version: str | None = None
    system_version: str | None = None
    updated: str | None = None
    downloads: int | None = None
    favorites: int | None = None
    reads: int | None = None
    rating: float | None = None
    author_credit: str | None = None
    download_url: str | None = None


class ParsedPage(msgspec.Struct, frozen=True, kw_only=True):
    """The content of one page.

    `follow` are pages to fetch now, `next_page` the following page (fetched only if this page
    contained new entries). `open_ids` are iCloud ids that the site shows to everybody, if it also
    has ids for members only. `download` is the target of a download page or redirect. `empty_ok`
    says that a list may be empty here (past the end), so that an empty list is no drift. `refused`
    says why the page was not read at all.
    """

    kind: ParsedKind
    entries: tuple[Entry, ...] = ()
    follow: tuple[PageRequest, ...] = ()
    next_page: PageRequest | None = None
    open_ids: tuple[str, ...] = ()
    download: str | None = None
    empty_ok: bool = False
    reason: str | None = None
    refused: str | None = None

    @property
    def drift_reason(self) -> str:
        """The reason code of `drift`: the page looks changed, or could not be read."""
        return "drift" if self.refused is None else self.reason or "drift"

    @property
    def drift(self) -> str | None:
        """Return why a page is unreadable, or None if it is fine.

        It may lack an expected part, or the site may have refused the request.
        """
        if self.refused is not None:
            return self.refused
        if self.kind == "list" and not self.entries and not self.follow and not self.empty_ok:
            return "a list page without entries"
        complete_entries = [entry for entry in self.entries if entry.page_kind == "entry"]
        if complete_entries and not any(entry.name for entry in complete_entries):
            return "entries without names"
        if complete_entries and not any(entry.link for entry in complete_entries):
            return "entries without links"
        if self.kind == "detail" and not any(entry.name for entry in self.entries):
            return "a detail page without a name"
        if self.kind == "download" and self.download is None:
            return "a download page without a target"
        return None


class Fetcher(Protocol):
    """Answers page requests: live, with a capture of every response, or from captures alone."""

    def fetch(self, request: PageRequest) -> Page:
        """Return the page, whatever its status.

        Raises:
            FetchError: this page is not available; other pages may be.
            SiteRefusedError: the site refuses further requests.
        """
        ...


class FetchCounts(msgspec.Struct):
    """Counts of the requests that a run has made so far."""

    requests: int = 0
    unchanged: int = 0
    resumed: int = 0
    body_bytes: int = 0


def page_of(capture: Capture, body: bytes) -> Page:
    """Convert a stored response to the page that the parser of a site reads."""
    return Page(
        url=capture.url,
        status=capture.status,
        headers=capture.headers,
        body=body,
        capture_id=capture.capture_id,
        rendered=capture.kind == "rendered",
    )
