"""kejicut.com: WordPress posts with likes and reads; the displayed category is the author."""

from scrapers.pages.theme import ThemeSite


class Kejicut(ThemeSite):
    name = "kejicut"
    home = "https://www.kejicut.com"
    evidence = "inferred"
    category_is_author = True


SITE = Kejicut()
