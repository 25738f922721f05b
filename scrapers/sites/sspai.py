"""The adapter for shortcuts.sspai.com, closed in 2024, whose only JSON response has all entries."""

from datetime import UTC, datetime
from urllib.parse import unquote

from scrapers.pages.first_checks import AnswerSite
from scrapers.pages.html import count, member, plain_text, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

HOME = "https://shortcuts.sspai.com"


class Sspai(AnswerSite):
    name = "sspai"
    home = HOME
    access = "json"
    evidence = "seen"
    notes = "closed in 2024"
    closed = True

    def starts(self) -> tuple[PageRequest, ...]:
        return (PageRequest(f"{HOME}/api/v1/user/workflow/all/get"),)

    def read(self, page: Page, body: object | None) -> ParsedPage:
        del page
        entries = tuple(
            _entry(row, words(member(category, "name")))
            for category in rows(member(body, "data", "data"))
            for row in rows(member(category, "data"))
        )
        return ParsedPage(kind="list", entries=entries)


def _entry(row: object, category: str | None) -> Entry:
    number = words(member(row, "id"))
    return Entry(
        page_kind="entry",
        listing_url=f"{HOME}/#/detail/{number}" if number else None,
        link=words(member(row, "url")),
        name=words(member(row, "name")),
        description=plain_text(unquote(words(member(row, "description")) or "")),
        categories=(category,) if category else (),
        downloads=count(member(row, "downloads")) or count(member(row, "download_count")),
        updated=_moment(member(row, "utime")),
    )


def _moment(seconds: object) -> str | None:
    # Texts stay unchanged.
    if isinstance(seconds, int) and 0 < seconds < 4_102_444_800:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    return words(seconds)


SITE = Sspai()
