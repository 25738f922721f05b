"""sharecuts.app: a JSON answer; files of its own instead of iCloud links; closed."""

from scrapers.pages.addresses import join_address
from scrapers.pages.html import count, json_body, member, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.site import Site, gone_page

HOME = "https://sharecuts.app"


class Sharecuts(Site):
    """Works from captures only; its files are captured beside its answer."""

    name = "sharecuts"
    home = HOME
    hosts = ("sharecuts.app",)
    access = "json"
    evidence = "seen"
    notes = "closed; files of its own, no iCloud links"
    closed = True
    holds_files = True

    def starts(self) -> tuple[PageRequest, ...]:
        """The latest shortcuts."""
        return (PageRequest(f"{HOME}/api/shortcuts/latest"),)

    def is_shortcut_file(self, url: str) -> bool:
        """Its files lie under one path."""
        return url.startswith(f"{HOME}/download/")

    def parse(self, page: Page) -> ParsedPage:
        """The answer with its entries, or one of the files."""
        gone = gone_page(page)
        if gone is not None:
            return gone
        if self.is_shortcut_file(page.url or ""):
            return ParsedPage(kind="other", reason="shortcut_file", download=page.url)
        body = json_body(page)
        found = rows(member(body, "results")) or rows(body)
        entries = tuple(_entry(one) for one in found)
        follow = tuple(PageRequest(e.download_url) for e in entries if e.download_url)
        return ParsedPage(kind="list", entries=entries, follow=follow)


def _entry(one: object) -> Entry:
    number = words(member(one, "id"))
    file = words(member(one, "downloadURL"))
    address = join_address(HOME, file)
    return Entry(
        page_kind="entry",
        listing_url=f"{HOME}/shortcuts/{number}" if number else None,
        link=address,
        name=words(member(one, "title")),
        description=words(member(one, "summary")),
        favorites=count(member(one, "votes")),
        author_credit=words(member(one, "user", "name")),
        download_url=address,
    )


SITE = Sharecuts()
