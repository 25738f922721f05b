"""The adapter for rcuts.com, whose WordPress posts show the author in place of the category."""

from scrapers.pages.theme import ThemeSite


class Rcuts(ThemeSite):
    name = "rcuts"
    home = "https://www.rcuts.com"
    evidence = "inferred"
    category_is_author = True


SITE = Rcuts()
