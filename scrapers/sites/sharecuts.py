"""The adapter for sharecuts.app, a closed site with a JSON response and its own shortcut files."""

from scrapers.pages.addresses import join_address
from scrapers.pages.first_checks import AnswerSite
from scrapers.pages.html import count, member, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import gone_page

HOME = "https://sharecuts.app"


class Sharecuts(AnswerSite):
    name = "sharecuts"
    home = HOME
    access = "json"
    evidence = "seen"
    notes = "closed; shortcut files instead of iCloud links"
    closed = True
    holds_files = True

    def starts(self) -> tuple[PageRequest, ...]:
        return (PageRequest(f"{HOME}/api/shortcuts/latest"),)

    def is_shortcut_file(self, url: str) -> bool:
        return url.startswith(f"{HOME}/download/")

    def parse(self, page: Page) -> ParsedPage:
        if self.is_shortcut_file(page.url or "") and gone_page(page) is None:
            return ParsedPage(kind="other", reason="shortcut_file", download=page.url)
        return super().parse(page)

    def read(self, page: Page, body: object | None) -> ParsedPage:
        del page
        entry_rows = rows(member(body, "results")) or rows(body)
        entries = tuple(_entry(row) for row in entry_rows)
        follow = tuple(PageRequest(e.download_url) for e in entries if e.download_url)
        return ParsedPage(kind="list", entries=entries, follow=follow)


def _entry(row: object) -> Entry:
    number = words(member(row, "id"))
    file = words(member(row, "downloadURL"))
    address = join_address(HOME, file)
    return Entry(
        page_kind="entry",
        listing_url=f"{HOME}/shortcuts/{number}" if number else None,
        link=address,
        name=words(member(row, "title")),
        description=words(member(row, "summary")),
        favorites=count(member(row, "votes")),
        author_credit=words(member(row, "user", "name")),
        download_url=address,
    )


SITE = Sharecuts()
