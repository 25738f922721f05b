"""A site's entry about one shortcut, as one page shows it."""

from typing import Literal

import msgspec

PageKind = Literal["detail", "entry", "card", "error"]


class Listing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One entry on one page of a sharing site; the same shortcut may have many entries.

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
