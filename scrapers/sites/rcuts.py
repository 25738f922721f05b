"""rcuts.com: WordPress posts with likes and reads; the apparent category is the author."""

from scrapers.pages.theme import ThemeSite


class Rcuts(ThemeSite):
    """A small site with high counts."""

    name = "rcuts"
    home = "https://www.rcuts.com"
    evidence = "inferred"
    category_is_author = True


SITE = Rcuts()
