"""The adapter for reddit.com/r/shortcuts, which reads about 1,000 newest posts from its JSON API.

The API is used under its own terms with the credentials of an application (REDDIT_CLIENT_ID and
REDDIT_CLIENT_SECRET), so robots.txt is not obeyed. Authors are not stored. A post that was deleted
on Reddit gives an entry with the state `removed`, so that it is removed from releases, too.
"""

from datetime import UTC, datetime
from urllib.parse import urlencode

from benchloom.core.icloud_links import canonical_link, find_ids
from scrapers.pages.first_checks import AnswerSite
from scrapers.pages.html import member, rows, words
from scrapers.pages.page import Entry, Page, PageRequest, ParsedPage

API = "https://oauth.reddit.com"
_GONE = frozenset({"[deleted]", "[removed]"})


class Reddit(AnswerSite):
    name = "reddit"
    home = "https://www.reddit.com/r/shortcuts"
    hosts = ("oauth.reddit.com",)
    access = "oauth"
    evidence = "seen"
    notes = "needs REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"
    newest_first = True
    robots_apply = False
    rolling = True

    def starts(self) -> tuple[PageRequest, ...]:
        return (_list_request(None),)

    def read(self, page: Page, body: object | None) -> ParsedPage:
        del page
        posts = [member(child, "data") for child in rows(member(body, "data", "children"))]
        entries = tuple(entry for post in posts for entry in _entries(post))
        after = words(member(body, "data", "after"))
        return ParsedPage(
            kind="list",
            entries=entries,
            next_page=_list_request(after) if after else None,
            empty_ok=bool(posts),
        )


def _list_request(after: str | None) -> PageRequest:
    query = {"limit": "100", "raw_json": "1"} | ({"after": after} if after else {})
    return PageRequest(f"{API}/r/shortcuts/new?{urlencode(query)}", signed_in=True)


def _entries(post: object) -> list[Entry]:
    permalink = words(member(post, "permalink"))
    address = f"https://www.reddit.com{permalink}" if permalink else None
    text = words(member(post, "selftext")) or ""
    if text in _GONE or words(member(post, "removed_by_category")):
        return [Entry(page_kind="error", state="removed", listing_url=address)]
    ids = find_ids(f"{words(member(post, 'url')) or ''} {text}")
    flair = words(member(post, "link_flair_text"))
    created = member(post, "created_utc")
    updated = None
    if isinstance(created, int | float) and 0 < created < 4_102_444_800:
        updated = datetime.fromtimestamp(created, UTC).date().isoformat()
    return [
        Entry(
            page_kind="entry",
            listing_url=address,
            link=canonical_link(icloud_id),
            name=words(member(post, "title")),
            description=text or None,
            categories=(flair,) if flair else (),
            updated=updated,
        )
        for icloud_id in ids
    ]


SITE = Reddit()
