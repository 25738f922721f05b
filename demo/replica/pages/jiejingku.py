"""An imitation of jiejingku.net: WordPress posts whose descriptions end with the same text."""

from demo.replica.posted import Posted, cycled, local
from demo.replica.theme_pages import Theme

HOSTS = ("jiejingku.net",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "jiejingku"
answer = Theme("jiejingku", tail="关于快捷指令的隐私权限和安全, 请看本站说明。").answer


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    return cycled(
        local(SITE, "zh", 25, 205, 4100),
        categories=(("utilities",), ("sports",), ("photo",)),
        favorites=(4, 2, 31, 0),
        reads=(3005, 4597, 12),
    )
