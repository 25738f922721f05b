"""The adapters of sites on which people share shortcuts; each module defines one as `SITE`.

A new site needs a module here, which is found by its name, and a module in demo/replica/pages/ that
imitates the site. tests/contracts/test_sites.py runs the same tests for every adapter.
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
"""The name of the captures folder for records of iCloud, beside the folders of sites."""


def file_folders(captures: Path) -> list[Path]:
    """Return the folders in a captures folder whose responses may be shortcut files."""
    names = [ASSET_SITE, *(site.name for site in SITES.all().values() if site.holds_files)]
    return [captures / name for name in names if (captures / name).is_dir()]


def holds_shortcut(source: SourceObject) -> bool:
    """Whether to parse an input object as a shortcut; a captured page or iCloud record is none."""
    capture = source.capture
    if capture is None or capture.site not in {ASSET_SITE, RECORD_SITE, *SITES.names()}:
        return True
    return is_shortcut_file(capture)


def is_shortcut_file(capture: Capture) -> bool:
    """Whether a capture is a response whose body is a shortcut file."""
    if capture.kind != "response" or capture.status != HTTPStatus.OK:
        return False
    if capture.site == ASSET_SITE:
        return True
    site = SITES.all().get(capture.site)
    return site is not None and site.is_shortcut_file(capture.url)
