"""acorns.example: a JSON answer with links to iCloud."""

from scrapers.pages.first_checks import AnswerSite
from scrapers.pages.html import member, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

HOME = "https://acorns.example"


class Acorns(AnswerSite):
    """One answer lists everything."""

    name = "acorns"
    home = HOME
    access = "json"
    evidence = "inferred"

    def starts(self) -> tuple[PageRequest, ...]:
        """The list."""
        return (PageRequest(f"{HOME}/list.json"),)

    def read(self, page: Page, body: object | None) -> ParsedPage:
        """The entries of the list."""
        del page
        return ParsedPage(
            kind="list", entries=tuple(_entry(row) for row in rows(member(body, "trees")))
        )


def _entry(one: object) -> Entry:
    number = words(member(one, "number"))
    return Entry(
        page_kind="entry",
        listing_url=f"{HOME}/trees/{number}" if number else None,
        link=words(member(one, "link")),
        name=words(member(one, "name")),
        description=words(member(one, "text")),
        updated=words(member(one, "day")),
    )


SITE = Acorns()
