"""The adapter for shortcuts.ispazio.net, which reads Italian WordPress posts by REST or as HTML."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchloom.core.icloud_links import canonical_link, find_ids
from scrapers.pages.first_checks import PageSite, card_list
from scrapers.pages.html import (
    absolute,
    attribute,
    first,
    json_body,
    member,
    paragraphs_of,
    text_of,
    words,
)
from scrapers.pages.markup import parsed_markup
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.wordpress import (
    icloud_link,
    next_rest_page,
    next_theme_page,
    past_the_end,
    posts,
    rendered,
    rest_address,
)

HOME = "https://shortcuts.ispazio.net"


class ISpazio(PageSite):
    name = "ispazio"
    home = HOME
    access = "wordpress"
    evidence = "inferred"
    newest_first = True

    def starts(self) -> tuple[PageRequest, ...]:
        return (PageRequest(rest_address(HOME, "posts")),)

    def parse(self, page: Page) -> ParsedPage:
        if "/wp-json/" in (page.url or "") and page.status == 404:
            return ParsedPage(kind="other", follow=(PageRequest(f"{HOME}/"),), reason="no_rest_api")
        body = json_body(page)
        if past_the_end(page, body):
            return ParsedPage(kind="list", empty_ok=True)
        if body is not None:
            entries = tuple(_entry(post) for post in posts(body))
            return ParsedPage(kind="list", entries=entries, next_page=next_rest_page(page))
        return super().parse(page)

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        body = root.css_first("article .entry-content")
        if body is not None:
            entry = Entry(
                page_kind="detail",
                listing_url=page.url,
                link=icloud_link(body),
                name=text_of(first(root, "h1.entry-title", "h1")),
                description=_without_link(body),
                updated=attribute(root.css_first("time[datetime]"), "datetime"),
            )
            return ParsedPage(kind="detail", entries=(entry,))
        links = root.css("main article h2 a[href]")
        cards = tuple(
            Entry(page_kind="card", listing_url=target, name=text_of(link))
            for link in links
            if (target := absolute(page, attribute(link, "href"), HOME))
        )
        return card_list(cards, next_theme_page(page, root, HOME))


def _entry(post: object) -> Entry:
    markup = words(member(post, "content", "rendered")) or ""
    ids = find_ids(markup)
    return Entry(
        page_kind="entry",
        listing_url=words(member(post, "link")),
        link=canonical_link(ids[0]) if ids else None,
        name=rendered(post, "title"),
        description=_without_link(parsed_markup(markup).body),
        updated=words(member(post, "modified")) or words(member(post, "date")),
    )


def _without_link(body: LexborNode | None) -> str | None:
    for link in body.css('a[href*="icloud.com/shortcuts"]') if body is not None else ():
        link.decompose()
    return paragraphs_of(body)


SITE = ISpazio()
