"""Sharing sites, one module each, found by name: a module offers `SITE`, an adapter.

A new site is one new module here, its hand-made pages under demo/replica/pages/, and nothing else;
tests/contracts/test_sites.py runs every member through one suite.
"""

from functools import cache

from benchloom.errors import RunError
from benchloom.members import member_modules
from scrapers.errors import UnknownSiteError
from scrapers.pages.site import Site


@cache
def all_sites() -> dict[str, Site]:
    """Every adapter by name, sorted.

    Raises:
        RunError: two modules claim one name, or a module is no adapter.
    """
    found: dict[str, Site] = {}
    for name, module in member_modules(__name__, __path__):
        site = getattr(module, "SITE", None)
        if not isinstance(site, Site):
            raise RunError(f"scrapers/sites/{name}.py offers no SITE")
        if site.name in found:
            raise RunError(f"two adapters are called '{site.name}'")
        found[site.name] = site
    return dict(sorted(found.items()))


def find_site(name: str) -> Site:
    """The adapter called `name`; dashes and dots are read as underscores.

    Raises:
        UnknownSiteError: no such adapter; the message lists the known ones.
    """
    sites = all_sites()
    known = sites.get(name) or sites.get(name.replace("-", "_").replace(".", "_"))
    if known is None:
        raise UnknownSiteError(f"unknown site '{name}'; known: {', '.join(sites)}")
    return known
