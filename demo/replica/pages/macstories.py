"""An imitation of macstories.net: one page with a heading for each category and entries below.

Some entries link to an app before they link to the shortcut.
"""

from itertools import groupby

from demo.replica.exchange import Request, Response, escape, page, plain_404
from demo.replica.posted import Posted, pick, posted
from demo.replica.world import World

HOSTS = ("www.macstories.net",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "macstories"


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path != "/shortcuts/":
        return plain_404()
    groups = groupby(world.posted(SITE), key=lambda entry: entry.categories[0])
    parts = [
        f"<h2>{escape(category)}</h2><ul>{''.join(_entry(entry) for entry in entries)}"
        # An entry that is only an article is no listing.
        '<li><strong>Further reading</strong> <a href="https://www.macstories.net/stories/">Read'
        "</a></li></ul>"
        for category, entries in groups
    ]
    return page("Shortcuts Archive", f"<h1>Archive</h1>{''.join(parts)}")


def _entry(entry: Posted) -> str:
    app = '<a href="https://apps.apple.com/us/app/id1">App</a> ' if entry.number % 4 == 0 else ""
    return (
        f"<li>{app}<strong>{escape(entry.name)}</strong> <p>{escape(entry.description or '')}</p> "
        f'<a href="{escape(entry.link or "")}">Get the shortcut here</a></li>'
    )


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    headings = ("Action Button", "Health", "Music & Audio", "Travel")
    return [
        posted(SITE, index, shortcut, categories=(headings[index * len(headings) // 30],))
        for index, shortcut in enumerate(pick(30, 130))
    ]
