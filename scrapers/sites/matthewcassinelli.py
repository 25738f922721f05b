"""The adapter for matthewcassinelli.com, which reads its REST API and its free library page.

The REST API does not say which entries are only for members. So an entry counts as open to
everybody only if the free library page links to the same shortcut.
"""

from selectolax.lexbor import LexborHTMLParser

from benchloom.core.icloud_links import find_ids
from scrapers.pages.first_checks import PageSite
from scrapers.pages.html import is_html, json_body, member, plain_text, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage
from scrapers.pages.wordpress import next_rest_page, past_the_end, posts, rendered, rest_address

HOME = "https://matthewcassinelli.com"
FREE_LIBRARY = f"{HOME}/sirishortcuts/library/free/"


class MatthewCassinelli(PageSite):
    name = "matthewcassinelli"
    home = HOME
    access = "wordpress"
    evidence = "seen"
    notes = "member-only entries are left out"
    newest_first = True
    has_member_only = True

    def starts(self) -> tuple[PageRequest, ...]:
        return PageRequest(FREE_LIBRARY), PageRequest(rest_address(HOME, "shortcuts"))

    def parse(self, page: Page) -> ParsedPage:
        if is_html(page):
            return super().parse(page)
        body = json_body(page)
        if past_the_end(page, body):
            return ParsedPage(kind="list", empty_ok=True)
        entries = tuple(_entry(post) for post in posts(body))
        return ParsedPage(kind="list", entries=entries, next_page=next_rest_page(page))

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        del page
        links = (node.attributes.get("href") or "" for node in root.css("a[href]"))
        ids = tuple(dict.fromkeys(i for link in links for i in find_ids(link)))
        # An open library without links would make every entry look member-only.
        return ParsedPage(kind="other" if ids else "list", open_ids=ids, reason="free_library")


def _entry(post: object) -> Entry:
    # Custom fields are an object, or `false` or an empty list where an entry has none. Rows that
    # others exported from the API carry the same fields at the top.
    fields = member(post, "acf")
    return Entry(
        page_kind="entry",
        listing_url=words(member(post, "link")) or words(member(post, "url")),
        link=words(member(fields, "icloud_link")) or words(member(post, "icloud_link")),
        name=plain_text(words(member(fields, "shortcut_name")) or words(member(post, "name")))
        or rendered(post, "title")
        or plain_text(words(member(post, "title"))),
        description=plain_text(
            words(member(fields, "description")) or words(member(post, "description"))
        ),
        updated=words(member(post, "modified")) or words(member(post, "date")),
    )


SITE = MatthewCassinelli()
