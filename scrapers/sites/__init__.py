"""Adapters of sharing sites, one module per site; each module defines its adapter as `SITE`.

Modules are discovered by name. A new site is one new module here plus its hand-made pages under
demo/replica/pages/; tests/contracts/test_sites.py runs every adapter through one suite.
"""

from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from benchloom.core.kinds import Kind
from benchloom.core.records import Capture
from benchloom.storage.inputs import SourceObject

if TYPE_CHECKING:
    from scrapers.pages.site import Site

SITES: "Kind[Site]" = Kind("site", __name__, "scrapers.pages.site.Site", attribute="SITE")
ASSET_SITE = "icloud-content"
RECORD_SITE = "icloud"
"""The name of iCloud's folder of captures, beside the folders of sites."""


def file_folders(captures: Path) -> list[Path]:
    """Return the folders of stored responses that may contain shortcut files."""
    names = [ASSET_SITE, *(site.name for site in SITES.all().values() if site.holds_files)]
    return [captures / name for name in names if (captures / name).is_dir()]


def holds_shortcut(source: SourceObject) -> bool:
    """Whether to parse an object as a shortcut; captures of pages and records are left out."""
    capture = source.capture
    if capture is None or capture.site not in {ASSET_SITE, RECORD_SITE, *SITES.names()}:
        return True
    return is_shortcut_file(capture)


def is_shortcut_file(capture: Capture) -> bool:
    """Whether a capture is the response that contains a shortcut's bytes."""
    if capture.kind != "response" or capture.status != HTTPStatus.OK:
        return False
    if capture.site == ASSET_SITE:
        return True
    site = SITES.all().get(capture.site)
    return site is not None and site.is_shortcut_file(capture.url)
