"""An adapter for a kind of WordPress theme that three Chinese sites use.

Posts show likes and reads. A side list of "hot" posts repeats on every page, even after the last
page, so only the main list is read. The crawl of a list ends at a page without new entries.
"""

from selectolax.lexbor import LexborHTMLParser

from scrapers.pages.first_checks import PageSite, card_list
from scrapers.pages.html import absolute, attribute, count, first, paragraphs_of, text_of
from scrapers.pages.page import Entry, Page, ParsedPage
from scrapers.pages.wordpress import icloud_link, next_theme_page, post_number

MAIN_LIST = ".posts-wrapper article h2 a[href], main article h2 a[href]"


class ThemeSite(PageSite):
    """The base class of adapters for sites whose posts have addresses of the form `/<number>.html`.

    `category_is_author` says whether the site shows the author where others show the category.
    `tail` is the beginning of the text that follows every description and is cut off.
    """

    access = "wordpress"
    newest_first = True
    category_is_author: bool = False
    tail: str | None = None

    def read(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        """Return the content of a list page or a post."""
        if post_number(page.url) or root.css_first(".article-content") is not None:
            return self._post(page, root)
        cards = tuple(
            Entry(page_kind="card", listing_url=target, name=text_of(link))
            for link in root.css(MAIN_LIST)
            if post_number(target := absolute(page, attribute(link, "href"), self.home))
        )
        return card_list(
            cards, next_theme_page(page, root, self.home), empty_ok="/page/" in (page.url or "")
        )

    def _post(self, page: Page, root: LexborHTMLParser) -> ParsedPage:
        label = text_of(first(root, ".article-meta .category", ".article-category a"))
        author = text_of(first(root, ".article-meta .author", ".author-name"))
        body = root.css_first(".article-content")
        entry = Entry(
            page_kind="detail",
            listing_url=page.url,
            link=icloud_link(first(root, "article", "main") or root),
            name=text_of(first(root, "h1.article-title", "h1")),
            description=_without_tail(paragraphs_of(body), self.tail),
            categories=() if self.category_is_author or label is None else (label,),
            favorites=count(text_of(first(root, ".article-meta .likes", ".like-count"))),
            reads=count(text_of(first(root, ".article-meta .views", ".views-count"))),
            updated=attribute(root.css_first("time[datetime]"), "datetime"),
            author_credit=(author or label) if self.category_is_author else author,
        )
        return ParsedPage(kind="detail", entries=(entry,))


def _without_tail(text: str | None, tail: str | None) -> str | None:
    if text is None or tail is None:
        return text
    return text.partition(tail)[0].strip() or None
