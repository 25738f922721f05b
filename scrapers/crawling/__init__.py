"""Crawls and downloads: order of the pages, responses to keep, and resuming killed runs."""

from http import HTTPStatus
from pathlib import Path

from benchloom.core.records import Capture
from benchloom.storage.inputs import SourceObject
from scrapers.icloud import ASSET_SITE, RECORD_SITE
from scrapers.sites import SITES


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
