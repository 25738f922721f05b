"""The adapter for kejicut.com, whose WordPress posts show the author in place of the category."""

from scrapers.pages.theme import ThemeSite


class Kejicut(ThemeSite):
    name = "kejicut"
    home = "https://www.kejicut.com"
    evidence = "inferred"
    category_is_author = True


SITE = Kejicut()
