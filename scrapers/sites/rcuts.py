"""rcuts.com: WordPress posts with likes and reads; the displayed category is the author."""

from scrapers.pages.theme import ThemeSite


class Rcuts(ThemeSite):
    name = "rcuts"
    home = "https://www.rcuts.com"
    evidence = "inferred"
    category_is_author = True


SITE = Rcuts()
