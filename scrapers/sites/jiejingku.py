"""The adapter for jiejingku.net, whose WordPress posts all end with the same text."""

from scrapers.pages.theme import ThemeSite


class Jiejingku(ThemeSite):
    name = "jiejingku"
    home = "https://jiejingku.net"
    evidence = "seen"
    tail = "关于快捷指令的隐私权限和安全"


SITE = Jiejingku()
