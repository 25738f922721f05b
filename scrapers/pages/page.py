"""The types that fetching and parsing share: page requests, pages, and their parsed content."""

from typing import Literal, Protocol

import msgspec

from benchloom.core.records import Capture, Header, PageKind, header_value

ParsedKind = Literal["list", "detail", "error", "download", "other"]


class RenderPlan(msgspec.Struct, frozen=True):
    """The way in which the browser loads all entries of a page.

    `more` is a CSS selector for the button that adds entries, and `entry` one for an entry. The
    browser presses the button until it disappears, at most `most` times.
    """

    more: str | None = None
    entry: str | None = None
    most: int = 400


class PageSource(msgspec.Struct, frozen=True):
    """A response that the browser loaded for a page, with its header ETag."""

    url: str
    etag: str | None


class RenderedPage(msgspec.Struct, frozen=True):
    """A document after its scripts have run, in UTF-8, and the responses that it loaded."""

    html: bytes
    sources: tuple[PageSource, ...] = ()


class PageRequest(msgspec.Struct, frozen=True):
    """A page to fetch.

    If `render` is set, a browser loads the page. With `signed_in`, the request has the access token
    of an API client. With `fresh`, the page is requested even if this run has captured it before,
    for example because an address in the page has expired.
    """

    url: str
    render: RenderPlan | None = None
    signed_in: bool = False
    fresh: bool = False


class Page(msgspec.Struct, frozen=True):
    """A page as it was received.

    `url` is None for a saved page whose address is unknown. `rendered` says whether a browser
    loaded the page.
    """

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
    """A shortcut as a page describes it; `benchloom.core.records.Listing` explains the fields."""

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

    `follow` are pages to fetch in any case, and `next_page` is fetched only if this page contains
    new entries. `open_ids` are iCloud ids that the site shows to everybody, on a site that shows
    other ids only to members. `download` is the address to which a download page or a redirect
    leads. `empty_ok` says that a list without entries is no sign of a changed page, for example
    after the last page. `reason` is a reason code, and `refused` says why the page was not read.
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
        """The reason code for `drift`, which is `drift` unless the page could not be read."""
        return "drift" if self.refused is None else self.reason or "drift"

    @property
    def drift(self) -> str | None:
        """Why the page looks changed or could not be read, or None if neither is the case.

        A page looks changed if an expected part is missing, such as the names of entries.
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
    """The interface that answers page requests, over the network or from captures."""

    def fetch(self, request: PageRequest) -> Page:
        """Return the requested page, whatever its status.

        Raises:
            FetchError: this page is not available, but other pages may be.
            SiteRefusedError: the site refuses further requests.
        """
        ...


class FetchCounts(msgspec.Struct):
    """The numbers of requests that a run has sent, and of pages that needed no new response.

    `unchanged` counts pages that had not changed since an earlier run, `resumed` pages that this
    run had captured before it was interrupted.
    """

    requests: int = 0
    unchanged: int = 0
    resumed: int = 0
    body_bytes: int = 0


def page_of(capture: Capture, body: bytes) -> Page:
    """Return a stored response as the page that a site's parser reads."""
    return Page(
        url=capture.url,
        status=capture.status,
        headers=capture.headers,
        body=body,
        capture_id=capture.capture_id,
        rendered=capture.kind == "rendered",
    )
