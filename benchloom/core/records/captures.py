"""Records of stored web responses, and of shortcuts on pages of sharing sites and of iCloud."""

from typing import Literal

import msgspec

CaptureKind = Literal["response", "rendered", "revisit", "fault"]


class Header(msgspec.Struct, frozen=True, gc=False):
    """An HTTP response header. `name` is spelt as the server wrote it."""

    name: str
    value: str


def header_value(headers: tuple[Header, ...], name: str) -> str | None:
    """Return the value of the first header with this name, or None.

    The case of letters is ignored.
    """
    lowercase_name = name.lower()
    return next((h.value for h in headers if h.name.lower() == lowercase_name), None)


class Capture(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A row of the table `captures`: the description of one record of a web archive (WARC).

    `capture_id` identifies the content of a response (URL, status, body), not its time: the same
    response fetched twice has one id, so rows made from it do not depend on the clock. `kind` is
    `response`, `rendered` (the page after its scripts ran), `revisit` (unchanged since `refers_to`)
    or `fault` (no usable response; `fault` says why). `fetched_at` is UTC in ISO 8601.
    `body_digest` and `body_bytes` are the digest and size of the decoded body. `warc` is the path
    of the archive in the folder of captures; `offset` and `length` give the position of the record
    in it, in bytes.
    """

    capture_id: str
    site: str
    kind: CaptureKind
    url: str
    fetched_at: str
    status: int
    headers: tuple[Header, ...]
    body_digest: str
    body_bytes: int
    warc: str
    offset: int
    length: int
    refers_to: str | None = None
    fault: str | None = None

    def header(self, name: str) -> str | None:
        """Return the value of the first header with this name, or None. Case is ignored."""
        return header_value(self.headers, name)


ICloudState = Literal[
    "available", "deleted", "missing", "dead", "private", "bad_asset", "no_asset", "failed"
]


class ICloudRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A row of the table `icloud_records`: the state of one iCloud link.

    `state` is `available` (the shortcut's bytes are captured and checked), `deleted`, `missing`
    (404 on one day), `dead` (404 on two or more days and no other response since), `private`,
    `bad_asset` (size or first bytes are wrong), `no_asset` or `failed`. `asset` names the field
    that the bytes came from. Times are UTC in ISO 8601. `source_digest` is the digest of the
    shortcut's bytes, equal to `shortcuts.source_digest` of the row parsed from them.
    `record_capture` and `asset_capture` are the ids of the stored responses that show the state.
    """

    icloud_id: str
    state: ICloudState
    reason: str | None
    name: str | None
    created: str | None
    modified: str | None
    icon_color: int | None
    icon_glyph: int | None
    signing_status: str | None
    signing_certificate_expires: str | None
    malicious_scanning_version: int | None
    record_change_tag: str | None
    asset: str | None
    asset_size: int | None
    source_digest: str | None
    record_capture: str | None
    asset_capture: str | None


PageKind = Literal["detail", "entry", "card", "error"]


class Listing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A row of the table `listings`: an entry about a shortcut on a page of a sharing site.

    The same shortcut may have several entries. `page_kind` is `detail` (a page about this
    shortcut), `entry` (complete inside a list or an API's response), `card` (a teaser whose detail
    page says more) or `error` (the page says why there is no listing: see `state`). `state` is
    `listed`, `not_found`, `nsfw`, `removed`, `login` or `refused`. `link` is the link as it is on
    the page, `icloud_id` has the 32 hex digits of its id, and `link_problem` says why there is no
    id. `source_uri` is the page from which this row was read, `position` is the entry's position on
    the page, and `next_page` is the page that follows it.
    """

    listing_id: str
    site: str
    listing_url: str | None
    page_kind: PageKind
    state: str
    icloud_id: str | None
    link: str | None
    link_problem: str | None
    name: str | None
    tagline: str | None
    description: str | None
    category: str | None
    categories: tuple[str, ...]
    version: str | None
    system_version: str | None
    updated: str | None
    downloads: int | None
    favorites: int | None
    reads: int | None
    rating: float | None
    member_only: bool
    author_credit: str | None
    download_url: str | None
    next_page: str | None
    capture: str | None
    link_capture: str | None
    source_uri: str
    source_digest: str
    position: int
