"""Parses the content of each capture: a page's entries, an iCloud record, or a file's start.

The content depends only on the bytes of a capture, so it may be parsed once and kept.
"""

from http import HTTPStatus
from pathlib import Path

import msgspec

from benchloom.core.records import Capture
from benchloom.normalise.withholding.captures import file_digest
from benchloom.storage.inputs import SourceObject
from scrapers.icloud.records import (
    ASSET_SITE,
    RECORD_SITE,
    RECORDS,
    RecordAnswer,
    begins_as_shortcut,
    read_record,
)
from scrapers.pages.collector import PageReading, reading_of
from scrapers.pages.page import page_of
from scrapers.pages.site import Site, Source, read_page
from scrapers.sites import SITES

ROBOTS = "/robots.txt"


class Reading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The content of one capture: that of a page, of a record, or of a file."""

    page: PageReading | None = None
    record: RecordAnswer | None = None
    begins_as_shortcut: bool = False


def is_read(capture: Capture) -> bool:
    """Whether the body of a capture must be read to know its content."""
    if capture.kind not in {"response", "rendered"}:
        return False
    if capture.site in SITES.names():
        return not capture.url.endswith(ROBOTS)
    if capture.site == RECORD_SITE:
        return capture.url.startswith(RECORDS)
    return capture.site == ASSET_SITE


def read_capture(capture: Capture, body: bytes) -> Reading:
    """Parse the body of a capture."""
    if capture.site == RECORD_SITE:
        return Reading(record=read_record(capture.status, body))
    if capture.site == ASSET_SITE:
        return Reading(begins_as_shortcut=begins_as_shortcut(body))
    return Reading(page=_page(SITES.find(capture.site), capture, body))


def _page(site: Site, capture: Capture, body: bytes) -> PageReading:
    page = page_of(capture, body)
    source = Source(capture.capture_id, file_digest(capture.body_digest), capture.capture_id)
    return reading_of(site, page, read_page(site, page), source)


def file_folders(captures: Path) -> list[Path]:
    """List the folders of captures with shortcut files: iCloud's, and sites with own files."""
    names = [ASSET_SITE, *(site.name for site in SITES.all().values() if site.holds_files)]
    return [captures / name for name in names if (captures / name).is_dir()]


def holds_shortcut(source: SourceObject) -> bool:
    """Whether to parse an object as a shortcut: all but our own captures of other things."""
    capture = source.capture
    if capture is None or not _is_own_site(capture.site):
        return True
    return is_shortcut_file(capture)


def _is_own_site(name: str) -> bool:
    return name in {ASSET_SITE, RECORD_SITE} or name in SITES.names()


def is_shortcut_file(capture: Capture) -> bool:
    """Whether a capture is the response that contains a shortcut's bytes."""
    if capture.kind != "response" or capture.status != HTTPStatus.OK:
        return False
    if capture.site == ASSET_SITE:
        return True
    site = SITES.all().get(capture.site)
    return site is not None and site.is_shortcut_file(capture.url)
