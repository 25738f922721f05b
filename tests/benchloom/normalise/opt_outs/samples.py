"""Sample listings, captures and iCloud records with made-up ids for the opt-out tests."""

from benchloom.core.records import ICloudRecord, Listing
from benchloom.normalise.opt_outs.captures import Addressed

A = 32 * "a"
B = 32 * "b"
C = 32 * "c"


def link(icloud_id: str) -> str:
    """Return the iCloud address of a shortcut id."""
    return f"https://www.icloud.com/shortcuts/{icloud_id}"


def listing(
    number: int,
    icloud_id: str | None = None,
    *,
    url: str | None = "",
    capture: str | None = None,
    link_capture: str | None = None,
) -> Listing:
    """Return a listing; its address is derived from its number unless `url` is given."""
    return Listing(
        listing_id=f"listing:{number}",
        site="teashop",
        listing_url=f"https://teashop.example/{number}" if url == "" else url,
        page_kind="detail",
        state="listed",
        icloud_id=icloud_id,
        link=None,
        link_problem=None,
        name=None,
        tagline=None,
        description=None,
        category=None,
        categories=(),
        version=None,
        system_version=None,
        updated=None,
        downloads=None,
        favorites=None,
        reads=None,
        rating=None,
        member_only=False,
        author_credit=None,
        download_url=None,
        next_page=None,
        capture=capture,
        link_capture=link_capture,
        source_uri=f"page-{number}",
        source_digest="file:sha256:0",
        position=number,
    )


def capture(
    number: int, url: str = "", *, location: str | None = None, file: str | None = None
) -> Addressed:
    """Return the index entry of a capture: its URL, redirect location and file digest."""
    return Addressed(
        f"capture:{number}", url or f"https://teashop.example/{number}", location, file
    )


def record(icloud_id: str, body: str | None = None) -> ICloudRecord:
    """Return an iCloud record: available with the digest of its file, or deleted without one."""
    return ICloudRecord(
        icloud_id=icloud_id,
        state="available" if body else "deleted",
        reason=None,
        name=None,
        created=None,
        modified=None,
        icon_color=None,
        icon_glyph=None,
        signing_status=None,
        signing_certificate_expires=None,
        malicious_scanning_version=None,
        record_change_tag=None,
        asset=None,
        asset_size=None,
        source_digest=None if body is None else f"file:sha256:{body}",
        record_capture=None,
        asset_capture=None,
    )
