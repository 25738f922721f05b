"""Adapters of sharing sites, one module per site; each module defines its adapter as `SITE`.

Modules are discovered by name. A new site is one new module here plus its hand-made pages under
demo/replica/pages/; tests/contracts/test_sites.py runs every adapter through one suite.
"""

from typing import TYPE_CHECKING

from benchloom.core.kinds import Kind

if TYPE_CHECKING:
    from scrapers.pages.site import Site

SITES: "Kind[Site]" = Kind("site", __name__, "scrapers.pages.site.Site", attribute="SITE")
