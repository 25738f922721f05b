"""Captured responses, and the data about shortcuts in pages of sites and of iCloud."""

from typing import Literal

import msgspec

CaptureKind = Literal["response", "rendered", "revisit", "fault"]


class Header(msgspec.Struct, frozen=True, gc=False):
    """One response header, with its name as the server wrote it."""

    name: str
    value: str


def header_value(headers: tuple[Header, ...], name: str) -> str | None:
    """Return the value of the first header called `name`, ignoring letter case."""
    lowercase_name = name.lower()
    return next((h.value for h in headers if h.name.lower() == lowercase_name), None)


class Capture(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One record of a web archive.

    `capture_id` identifies the content of a response (URL, status, body), not its time: the
    same response fetched twice has one id, so rows made from it do not depend on the clock.
    `kind` is `response`, `rendered` (the page after its scripts ran), `revisit` (unchanged
    since `refers_to`) or `fault` (no usable response; `fault` says why). `fetched_at` is UTC in
    ISO 8601. `body_digest` and `body_bytes` are the digest and size of the decoded body. `warc`
    is the file's path under the captures folder, `offset` and `length` the position of the
    record in it, in bytes.
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
        """The value of the first header called `name`, in any letter case."""
        return header_value(self.headers, name)


ICloudState = Literal[
    "available", "deleted", "missing", "dead", "private", "bad_asset", "no_asset", "failed"
]


class ICloudRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The state of one iCloud link and the captures that show it.

    `state` is `available` (the shortcut's bytes are captured and checked), `deleted`, `missing`
    (404 on one day), `dead` (404 on two or more days and no other response since), `private`,
    `bad_asset` (size or first bytes are wrong), `no_asset` or `failed`. `asset` names the field
    that the bytes came from. Times are UTC in ISO 8601. `source_digest` is the digest of the
    shortcut's bytes, equal to `shortcuts.source_digest` of the row parsed from them.
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
    """An entry on a page of a sharing site; the same shortcut may have several entries.

    `page_kind` is `detail` (a page about this shortcut), `entry` (complete inside a list or an
    API's response), `card` (a teaser whose detail page says more) or `error` (the page says why
    there is no listing: see `state`). `state` is `listed`, `not_found`, `nsfw`, `removed`,
    `login` or `refused`. `link` is the link as it is on the page, `icloud_id` its 32 hex
    digits, and `link_problem` says why there is no id. `next_page` is the page that follows the
    page this row was read from. `source_uri` is that page, `position` the entry's position on
    it.
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
