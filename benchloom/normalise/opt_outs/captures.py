"""Find stored responses that no release may contain: shortcut files, and pages about them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from benchloom.core.icloud_links import find_ids
from benchloom.core.identity import ALGORITHM, hex_of
from benchloom.core.records import ICloudRecord, Listing
from benchloom.normalise.opt_outs.files import OPTED_OUT, Withheld
from benchloom.normalise.opt_outs.tombstones import Allowed


class Addressed(NamedTuple):
    """The parts of a stored response that can identify a shortcut: its URL, redirect and file."""

    capture_id: str
    url: str
    location: str | None
    file: str | None


def withheld_files(
    files: Mapping[str, str], records: Iterable[ICloudRecord], allowed: Allowed
) -> Withheld:
    """Return captured shortcut files to which no publishable link or listing refers, with reasons.

    `files` maps a capture to the digest of its file.
    """
    digest_of = {record.icloud_id: record.source_digest for record in records}
    opted_out = {digest_of.get(key) for key in allowed.opted_ids}
    removed = {digest_of.get(key) for key in allowed.gone_ids} | _linked_captures(
        allowed.gone, files
    )
    published = {digest for key, digest in digest_of.items() if key not in allowed.icloud_ids}
    published |= _linked_captures(allowed.listings, files)
    reasons: dict[str, str] = {}
    for digest in sorted(set(files.values())):
        if digest in opted_out:
            reasons[digest] = OPTED_OUT
        elif digest not in published:
            reasons[digest] = "withheld" if digest in removed else "unshared"
    return Withheld(reasons)


def hidden_captures(
    index: Iterable[Addressed], allowed: Allowed, withheld: Withheld
) -> dict[str, str]:
    """Return a mapping from the captures of withheld objects to the reasons for hiding them.

    The URL, the redirect or the file of a capture shows to which object it belongs.
    """
    pages = {row.listing_url or "" for row in allowed.gone} - {
        row.listing_url or "" for row in allowed.listings
    }
    # A page that also contains an allowed listing belongs to that listing's lineage.
    used = {capture for row in allowed.listings for capture in (row.capture, row.link_capture)}
    hidden: dict[str, str] = {}
    for capture in index:
        ids = _ids_in(capture)
        if ids & allowed.opted_ids:
            hidden[capture.capture_id] = OPTED_OUT
        elif ids & allowed.gone_ids or (capture.url in pages and capture.capture_id not in used):
            hidden[capture.capture_id] = "withheld"
        elif capture.file is not None:
            reason = withheld.files.get(capture.file)
            if reason is not None and reason != "unshared":
                hidden[capture.capture_id] = reason
    return hidden


def _ids_in(capture: Addressed) -> set[str]:
    return {*find_ids(capture.location or ""), *find_ids(capture.url)}


def file_digest(body_digest: str) -> str:
    """Convert the digest of a captured body to the `source_digest` of the file parsed from it."""
    return f"file:{ALGORITHM}:{hex_of(body_digest)}"


def _linked_captures(rows: Iterable[Listing], files: Mapping[str, str]) -> set[str | None]:
    # Files that listings provide themselves, without iCloud.
    return {files.get(row.link_capture or "") for row in rows}
