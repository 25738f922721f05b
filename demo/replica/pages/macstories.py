"""One page: a heading per category, entries under it, some of which link an app first."""

from itertools import groupby

from demo.replica.exchange import Answer, Ask, escape, not_found, page, robots
from demo.replica.posted import Posted, link_of, pick
from demo.replica.words import sentence
from demo.replica.world import World

HOSTS = ("www.macstories.net",)
SITE = "macstories"


def answer(world: World, ask: Ask) -> Answer:
    """The answer for one request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /wp-admin/")
    if ask.path != "/shortcuts/":
        return not_found()
    groups = groupby(world.posted(SITE), key=lambda one: one.categories[0])
    parts = [
        f"<h2>{escape(category)}</h2><ul>{''.join(_entry(one) for one in entries)}"
        # An entry that is only an article is no listing.
        '<li><strong>Further reading</strong> <a href="https://www.macstories.net/stories/">Read'
        "</a></li></ul>"
        for category, entries in groups
    ]
    return page("Shortcuts Archive", f"<h1>Archive</h1>{''.join(parts)}")


def _entry(one: Posted) -> str:
    app = '<a href="https://apps.apple.com/us/app/id1">App</a> ' if one.number % 4 == 0 else ""
    return (
        f"<li>{app}<strong>{escape(one.name)}</strong> <p>{escape(one.description or '')}</p> "
        f'<a href="{escape(one.link or "")}">Get the shortcut here</a></li>'
    )


def entries() -> list[Posted]:
    """What it lists."""
    headings = ("Action Button", "Health", "Music & Audio", "Travel")
    return [
        Posted(
            site=SITE,
            number=place,
            name=one.name,
            description=sentence(one.number, "en"),
            link=link_of(one),
            icloud_id=one.icloud_id,
            categories=(headings[place * len(headings) // 30],),
        )
        for place, one in enumerate(pick(30, 130))
    ]
