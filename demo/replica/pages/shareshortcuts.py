"""A paged list, numbered detail pages with a header box, download pages that lead to iCloud."""

import re

from demo.replica.exchange import Answer, Ask, escape, moved, not_found, page, robots
from demo.replica.posted import Posted, link_of, pick
from demo.replica.words import sentence
from demo.replica.world import World

HOSTS = ("shareshortcuts.com",)
SITE = "shareshortcuts"
PER_PAGE = 10


def answer(world: World, ask: Ask) -> Answer:
    """The answer for one request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /collections/")
    if ask.path == "/shortcuts/":
        return _list(world, ask.number("page"))
    found = re.fullmatch(r"/(shortcuts|download)/(\d+)-[a-z-]+\.html", ask.path)
    one = world.find(SITE, int(found.group(2))) if found else None
    if found is None or one is None:
        return not_found()
    if found.group(1) == "download":
        if one.number % 2:
            return moved(one.link or "")
        return page("Download", f'<p><a href="{escape(one.link or "")}">Open in Shortcuts</a></p>')
    return _detail(one)


def _slug(one: Posted) -> str:
    return f"{one.number}-{one.name.lower().replace(' ', '-')}"


def _list(world: World, number: int) -> Answer:
    entries = world.posted(SITE)
    chosen = entries[(number - 1) * PER_PAGE : number * PER_PAGE]
    rows = "".join(
        f'<li><a href="/shortcuts/{_slug(one)}.html">{escape(one.name)}</a></li>' for one in chosen
    )
    more = number * PER_PAGE < len(entries)
    following = f'<a rel="next" href="/shortcuts/?page={number + 1}">Next</a>' if more else ""
    return page("Share Shortcuts", f'<ul class="shortcut-list">{rows}</ul>{following}')


def _detail(one: Posted) -> Answer:
    body = f"""<div class="shortcut-header"><h1>{escape(one.name)}</h1>
<span class="category">{escape(one.categories[0])}</span> &bull; Updated {one.updated}
<a href="/download/{_slug(one)}.html">Download Shortcut</a>
<a href="/collections/add/{one.number}">Add to Collection</a>
<span>Like ({one.favorites})</span>
<span>Version {one.version} &bull; {one.downloads} unique downloads</span></div>
<div class="description"><p>{escape(one.description or "")}</p></div>"""
    return page(one.name, body)


def entries() -> list[Posted]:
    """What it lists."""
    names = ("API", "Music", "Weather")
    return [
        Posted(
            site=SITE,
            number=2400 - place,
            name=one.name,
            description=sentence(one.number, "en"),
            link=link_of(one),
            icloud_id=one.icloud_id,
            categories=(names[place % 3],),
            version=f"{1 + place % 3}.0",
            updated=f"{1 + place % 11} months ago",
            downloads=1000 + place * 1013,
            favorites=5 + place * 41,
        )
        for place, one in enumerate(pick(22, 150))
    ]
