"""An imitation of rcuts.com: WordPress posts that show the author in place of the category."""

from demo.replica.posted import Posted, cycled, local
from demo.replica.theme_pages import Theme

HOSTS = ("www.rcuts.com",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "rcuts"
answer = Theme("rcuts").answer


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    return cycled(
        local(SITE, "zh", 12, 90, 133),
        author=("捷径",),
        favorites=(775, 535, 34),
        reads=(2380241, 839685),
    )
