"""Adapter of acorns.example: a JSON answer with links to iCloud."""

from scrapers.pages.first_checks import AnswerSite
from scrapers.pages.html import member, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

HOME = "https://acorns.example"


class Acorns(AnswerSite):
    """A site that lists all entries in one answer."""

    name = "acorns"
    home = HOME
    access = "json"
    evidence = "inferred"

    def starts(self) -> tuple[PageRequest, ...]:
        """Return the request of the list."""
        return (PageRequest(f"{HOME}/list.json"),)

    def read(self, page: Page, body: object | None) -> ParsedPage:
        """Return the entries of the list."""
        del page
        return ParsedPage(
            kind="list", entries=tuple(_entry(row) for row in rows(member(body, "trees")))
        )


def _entry(row: object) -> Entry:
    number = words(member(row, "number"))
    return Entry(
        page_kind="entry",
        listing_url=f"{HOME}/trees/{number}" if number else None,
        link=words(member(row, "link")),
        name=words(member(row, "name")),
        description=words(member(row, "text")),
        updated=words(member(row, "day")),
    )


SITE = Acorns()
