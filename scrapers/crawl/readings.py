"""This module parses captures, which may be pages of a site, iCloud records or shortcut files.

The parsed content depends only on the capture and its bytes, so it may be stored and used again.
"""

import msgspec

from benchloom.core.records import Capture
from benchloom.normalise.opt_outs.captures import file_digest
from scrapers.icloud import (
    RECORDS,
    RecordAnswer,
    begins_as_shortcut,
    read_record,
)
from scrapers.pages.collector import PageReading, reading_of
from scrapers.pages.page import page_of
from scrapers.pages.site import Site, Source, read_page
from scrapers.sites import ASSET_SITE, RECORD_SITE, SITES

ROBOTS = "/robots.txt"


class Reading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The parsed content of a capture, which is a page, an iCloud record or a shortcut file.

    `page` or `record` is set for the first two; for a file, `begins_as_shortcut` says whether the
    file begins like a shortcut.
    """

    page: PageReading | None = None
    record: RecordAnswer | None = None
    begins_as_shortcut: bool = False


def is_read(capture: Capture) -> bool:
    """Whether `read_capture` can parse the body of a capture; it cannot parse a robots.txt."""
    if capture.kind not in {"response", "rendered"}:
        return False
    if capture.site in SITES.names():
        return not capture.url.endswith(ROBOTS)
    if capture.site == RECORD_SITE:
        return capture.url.startswith(RECORDS)
    return capture.site == ASSET_SITE


def read_capture(capture: Capture, body: bytes) -> Reading:
    """Parse the body of a capture, according to the site of the capture."""
    if capture.site == RECORD_SITE:
        return Reading(record=read_record(capture.status, body))
    if capture.site == ASSET_SITE:
        return Reading(begins_as_shortcut=begins_as_shortcut(body))
    return Reading(page=_page(SITES.find(capture.site), capture, body))


def _page(site: Site, capture: Capture, body: bytes) -> PageReading:
    page = page_of(capture, body)
    source = Source(capture.capture_id, file_digest(capture.body_digest), capture.capture_id)
    return reading_of(site, page, read_page(site, page), source)
