"""Functions that read WordPress sites, either their REST API or the post lists of their themes."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.pages.html import absolute, attribute, count, first, member, plain_text, rows, words
from scrapers.pages.page import Page, PageRequest

PAST_THE_END = "rest_post_invalid_page_number"


def rest_address(home: str, kind: str) -> str:
    """Return the address of the first page of a REST collection, such as `posts`.

    Its pages have 100 entries, with the newest first.
    """
    return f"{home}/wp-json/wp/v2/{kind}?per_page=100&page=1"


def next_rest_page(page: Page) -> PageRequest | None:
    """Return a request for the next page of a REST collection, or None after the last page."""
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
    """Whether a response is the error with which WordPress answers after the last page."""
    return page.status == 400 and member(body, "code") == PAST_THE_END


def rendered(post: object, field: str) -> str | None:
    """Return the text of a field that WordPress stores as `{"rendered": markup}`, or None."""
    return plain_text(words(member(post, field, "rendered")))


def posts(body: object | None) -> list[object]:
    """Return the JSON objects of the posts in a REST response, or an empty list."""
    return [post for post in rows(body) if isinstance(post, dict)]


def post_number(address: str | None) -> str | None:
    """Return the number in the address `/<number>.html` of a post, or None."""
    match = re.search(r"/(\d+)\.html(?:$|[?#])", address or "")
    return match.group(1) if match else None


def next_theme_page(page: Page, root: LexborHTMLParser, home: str) -> PageRequest | None:
    """Return a request for the next page of a theme's post list, or None without a link to one."""
    link = first(
        root, "a.next", ".next-page a", "a.next-page", 'a[rel="next"]', ".pagination .next a"
    )
    target = absolute(page, attribute(link, "href"), home)
    return PageRequest(target) if target and target != page.url else None


def icloud_link(root: LexborHTMLParser | LexborNode) -> str | None:
    """Return the first link to a shortcut on iCloud inside a node, or None."""
    return attribute(root.css_first('a[href*="icloud.com/shortcuts"]'), "href")
