"""An imitation of kejicut.com: WordPress posts that show the author in place of the category.

Its robots.txt has a Crawl-delay.
"""

from demo.replica.posted import Posted, cycled, local
from demo.replica.theme_pages import Theme

HOSTS = ("www.kejicut.com",)
ROBOTS = ("Disallow: /wp-admin/", "Crawl-delay: 0.2")
SITE = "kejicut"
answer = Theme("kejicut").answer


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    return cycled(
        local(SITE, "zh", 9, 20, 77),
        author=("柯基",),
        favorites=(16, 88, 121),
        reads=(2554, 68808),
    )
