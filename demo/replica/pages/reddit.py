"""An imitation of Reddit's token endpoint and its JSON API, with headers about rate limits."""

import base64
from datetime import UTC, datetime

from demo.replica.exchange import Request, Response, as_json, plain_404
from demo.replica.posted import Posted, day, link_of, pick, posted
from demo.replica.words import sentence
from demo.replica.world import World

HOSTS = ("www.reddit.com", "oauth.reddit.com")
ROBOTS = ("Disallow: /",)
SITE = "reddit"
CLIENT_ID, CLIENT_SECRET = "demo-client", "demo-secret"
TOKEN = "demo-token"
FILLERS = 20
"""The number of posts without a link, which are mixed with the other posts."""


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.host == "www.reddit.com":
        return _token(request)
    if request.headers.get("authorization") != f"Bearer {TOKEN}":
        return as_json({"message": "Unauthorized", "error": 401}, 401)
    if not request.headers.get("user-agent", "").startswith("python:benchloom:"):
        return as_json({"message": "Too Many Requests", "error": 429}, 429)
    return _list(world, request) if request.path == "/r/shortcuts/new" else plain_404()


def _token(request: Request) -> Response:
    pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
    if request.method != "POST" or request.headers.get("authorization") != f"Basic {pair}":
        return as_json({"message": "Unauthorized", "error": 401}, 401)
    return as_json({"access_token": TOKEN, "token_type": "bearer", "expires_in": 86400})


def _list(world: World, request: Request) -> Response:
    posts: list[dict[str, object]] = []
    for position, entry in enumerate(world.posted(SITE)):
        posts.append(_post(entry))
        if position % 6 == 0 and position // 6 < FILLERS:
            posts.append(_filler(position // 6))
    names = [str(post["name"]) for post in posts]
    after = request.query.get("after")
    start = names.index(after) + 1 if after in names else 0
    size = request.number("limit", 25)
    chosen = posts[start : start + size]
    more = start + size < len(posts)
    listing = {
        "kind": "Listing",
        "data": {
            "after": chosen[-1]["name"] if more else None,
            "children": [{"kind": "t3", "data": post} for post in chosen],
        },
    }
    rates = (("X-Ratelimit-Remaining", "98.0"), ("X-Ratelimit-Reset", "500"))
    return as_json(listing, headers=rates)


def _post(entry: Posted) -> dict[str, object]:
    as_link = entry.number % 2 == 0
    moment = datetime.fromisoformat(f"{entry.updated}T10:00:00").replace(tzinfo=UTC)
    return {
        "name": f"t3_{entry.number}",
        "title": entry.name,
        "url": entry.link if as_link else "",
        "selftext": entry.description,
        "created_utc": moment.timestamp(),
        "permalink": f"/r/shortcuts/comments/{entry.number}/",
        "link_flair_text": entry.categories[0] if entry.categories else None,
        "author": "someone-invented",
        "removed_by_category": None,
    }


def _filler(number: int) -> dict[str, object]:
    deleted = number == 3
    return {
        "name": f"t3_f{number}",
        "title": "How do I loop over a list?",
        "url": "https://www.reddit.com/",
        "selftext": "[deleted]" if deleted else "Asking for a friend.",
        "created_utc": 1_790_000_000.0,
        "permalink": f"/r/shortcuts/comments/f{number}/",
        "link_flair_text": "Help",
        "author": "someone-invented",
        "removed_by_category": None,
    }


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    flairs: tuple[tuple[str, ...], ...] = (("Shortcut Sharing",), ("Tip/Guide",), ())
    return [
        posted(
            SITE,
            9000 - index,
            shortcut,
            name=f"[Sharing] {shortcut.name}",
            description=f"{sentence(shortcut.number, 'en')} {link_of(shortcut)}",
            categories=flairs[index % 3],
            updated=day(index),
        )
        for index, shortcut in enumerate(pick(110, 95))
    ]
