"""Readers of public WordPress pages: the REST API and the post lists of themes."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.pages.html import absolute, attribute, count, first, member, plain_text, rows, words
from scrapers.pages.page import Page, PageRequest

PAST_THE_END = "rest_post_invalid_page_number"


def rest_address(home: str, kind: str) -> str:
    """Return the address of a REST collection's first page, 100 entries each, newest first."""
    return f"{home}/wp-json/wp/v2/{kind}?per_page=100&page=1"


def next_rest_page(page: Page) -> PageRequest | None:
    """Return the request for the next REST page, or None after the last (`X-WP-TotalPages`)."""
    if page.url is None:
        return None
    parts = urlsplit(page.url)
    query = dict(parse_qsl(parts.query))
    number = count(query.get("page")) or 1
    if number >= (count(page.header("X-WP-TotalPages")) or 0):
        return None
    query["page"] = str(number + 1)
    return PageRequest(urlunsplit(parts._replace(query=urlencode(query))))


def past_the_end(page: Page, body: object | None) -> bool:
    """Whether the response is WordPress's HTTP 400 for a page after the last page."""
    return page.status == 400 and member(body, "code") == PAST_THE_END


def rendered(post: object, field: str) -> str | None:
    """Return the text of a field that WordPress stores as `{"rendered": markup}`."""
    return plain_text(words(member(post, field, "rendered")))


def posts(body: object | None) -> list[object]:
    """Return the entries of a REST response."""
    return [post for post in rows(body) if isinstance(post, dict)]


def post_number(address: str | None) -> str | None:
    """Return the number in the address of a theme's post, `/<number>.html`."""
    match = re.search(r"/(\d+)\.html(?:$|[?#])", address or "")
    return match.group(1) if match else None


def next_theme_page(page: Page, root: LexborHTMLParser, home: str) -> PageRequest | None:
    """Return the request for the next page of a theme's list."""
    link = first(
        root, "a.next", ".next-page a", "a.next-page", 'a[rel="next"]', ".pagination .next a"
    )
    target = absolute(page, attribute(link, "href"), home)
    return PageRequest(target) if target and target != page.url else None


def icloud_link(root: LexborHTMLParser | LexborNode) -> str | None:
    """Return the first link to iCloud shortcuts inside a node."""
    return attribute(root.css_first('a[href*="icloud.com/shortcuts"]'), "href")
