"""Build the demo world from the entries of all sites."""

from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.world import World


def build_world() -> World:
    """Return the demo world; every call returns an equal one."""
    site_by_name = {site.SITE: site for site in RESPONDERS.only(SharingSite).values()}
    return World({name: site.entries() for name, site in site_by_name.items()})
