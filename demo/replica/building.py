"""The demo world, from what every site of it lists."""

from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.world import World


def build_world() -> World:
    """The demo world, the same every time."""
    site_by_name = {site.SITE: site for site in RESPONDERS.only(SharingSite).values()}
    return World({name: site.entries() for name, site in site_by_name.items()})
