"""Sharing sites, one module each, discovered by name: a module offers `SITE`, an adapter.

A new site is one new module here plus its hand-made pages under demo/replica/pages/;
tests/contracts/test_sites.py runs every member through one suite.
"""

from benchloom.core.kinds import Kind
from scrapers.pages.site import Site

SITES = Kind("site", __name__, Site, attribute="SITE")
