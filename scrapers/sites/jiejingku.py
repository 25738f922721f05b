"""jiejingku.net: WordPress posts; a boilerplate tail follows every description."""

from scrapers.pages.theme import ThemeSite


class Jiejingku(ThemeSite):
    name = "jiejingku"
    home = "https://jiejingku.net"
    evidence = "seen"
    tail = "关于快捷指令的隐私权限和安全"


SITE = Jiejingku()
