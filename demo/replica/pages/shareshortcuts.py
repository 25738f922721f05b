"""An imitation of shareshortcuts.com: a list of several pages, detail pages and download pages."""

import re

from demo.replica.exchange import Request, Response, escape, moved, page, page_of, plain_404
from demo.replica.posted import Posted, pick, posted
from demo.replica.world import World

HOSTS = ("shareshortcuts.com",)
ROBOTS = ("Disallow: /collections/",)
SITE = "shareshortcuts"
PER_PAGE = 10


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path == "/shortcuts/":
        return _list(world, request.number("page"))
    match = re.fullmatch(r"/(shortcuts|download)/(\d+)-[a-z-]+\.html", request.path)
    entry = world.find(SITE, int(match.group(2))) if match else None
    if match is None or entry is None:
        return plain_404()
    if match.group(1) == "download":
        if entry.number % 2:
            return moved(entry.link or "")
        return page(
            "Download", f'<p><a href="{escape(entry.link or "")}">Open in Shortcuts</a></p>'
        )
    return _detail(entry)


def _slug(entry: Posted) -> str:
    return f"{entry.number}-{entry.name.lower().replace(' ', '-')}"


def _list(world: World, number: int) -> Response:
    chosen, last = page_of(world.posted(SITE), number, PER_PAGE)
    rows = "".join(
        f'<li><a href="/shortcuts/{_slug(entry)}.html">{escape(entry.name)}</a></li>'
        for entry in chosen
    )
    more = f'<a rel="next" href="/shortcuts/?page={number + 1}">Next</a>' if number < last else ""
    return page("Share Shortcuts", f'<ul class="shortcut-list">{rows}</ul>{more}')


def _detail(entry: Posted) -> Response:
    body = f"""<div class="shortcut-header"><h1>{escape(entry.name)}</h1>
<span class="category">{escape(entry.categories[0])}</span> &bull; Updated {entry.updated}
<a href="/download/{_slug(entry)}.html">Download Shortcut</a>
<a href="/collections/add/{entry.number}">Add to Collection</a>
<span>Like ({entry.favorites})</span>
<span>Version {entry.version} &bull; {entry.downloads} unique downloads</span></div>
<div class="description"><p>{escape(entry.description or "")}</p></div>"""
    return page(entry.name, body)


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    names = ("API", "Music", "Weather")
    return [
        posted(
            SITE,
            2400 - index,
            shortcut,
            categories=(names[index % 3],),
            version=f"{1 + index % 3}.0",
            updated=f"{1 + index % 11} months ago",
            downloads=1000 + index * 1013,
            favorites=5 + index * 41,
        )
        for index, shortcut in enumerate(pick(22, 150))
    ]
