"""An imitation of shortcuts.ispazio.net: WordPress posts in Italian, with REST API and pages."""

import re

from demo.replica.exchange import Request, Response, collection, escape, page, page_of, plain_404
from demo.replica.posted import Posted, local
from demo.replica.world import World

HOSTS = ("shortcuts.ispazio.net",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "ispazio"
HOME = "https://shortcuts.ispazio.net"
PER_PAGE = 5


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path == "/wp-json/wp/v2/posts":
        return collection(request, world.posted(SITE), _row, "Oltre.")
    listed = re.fullmatch(r"/(?:page/(\d+)/)?", request.path)
    if listed:
        return _list(world, int(listed.group(1) or 1))
    match = re.fullmatch(r"/comando-(\d+)/", request.path)
    entry = world.find(SITE, int(match.group(1))) if match else None
    return _post(entry) if entry else plain_404()


def _content(entry: Posted) -> str:
    return (
        f"<p>{escape(entry.description or '')}</p>\n"
        f'<p><a href="{escape(entry.link or "")}">Scarica il comando</a></p>'
    )


def _row(entry: Posted) -> dict[str, object]:
    return {
        "id": entry.number,
        "link": f"{HOME}/comando-{entry.number}/",
        "date": entry.updated,
        "modified": entry.updated,
        "title": {"rendered": escape(entry.name)},
        "content": {"rendered": _content(entry)},
    }


def _list(world: World, number: int) -> Response:
    chosen, last = page_of(world.posted(SITE), number, PER_PAGE)
    rows = "".join(
        f'<article><h2><a href="/comando-{entry.number}/">{escape(entry.name)}</a></h2></article>'
        for entry in chosen
    )
    more = f'<a class="next" href="/page/{number + 1}/">Successivi</a>' if number < last else ""
    return page("Comandi", f"<main>{rows}</main>{more}")


def _post(entry: Posted) -> Response:
    body = (
        f'<main><article><h1 class="entry-title">{escape(entry.name)}</h1>'
        f'<time datetime="{entry.updated}">{entry.updated}</time>'
        f'<div class="entry-content">{_content(entry)}</div></article></main>'
    )
    return page(entry.name, body)


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    return local(SITE, "it", 12, 200, 560)
