"""plantpost.example: a JSON answer with links to iCloud."""

from scrapers.pages.html import json_body, member, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import Site, gone_page

HOME = "https://plantpost.example"


class Plantpost(Site):
    """One answer lists everything."""

    name = "plantpost"
    home = HOME
    hosts = ("plantpost.example",)
    access = "json"
    evidence = "inferred"

    def starts(self) -> tuple[PageRequest, ...]:
        """The list."""
        return (PageRequest(f"{HOME}/list.json"),)

    def parse(self, page: Page) -> ParsedPage:
        """The entries of the list."""
        entries = tuple(_entry(one) for one in rows(member(json_body(page), "plants")))
        return gone_page(page) or ParsedPage(kind="list", entries=entries)


def _entry(one: object) -> Entry:
    number = words(member(one, "number"))
    return Entry(
        page_kind="entry",
        listing_url=f"{HOME}/plants/{number}" if number else None,
        link=words(member(one, "link")),
        name=words(member(one, "name")),
        description=words(member(one, "text")),
        updated=words(member(one, "day")),
    )


SITE = Plantpost()
