"""WordPress posts in Italian by REST, or by the theme's pages if the API is closed."""

import re

from demo.replica.exchange import Answer, Ask, as_json, escape, page, plain_404, robots
from demo.replica.posted import Posted, local
from demo.replica.world import World

HOSTS = ("shortcuts.ispazio.net",)
SITE = "ispazio"
HOME = "https://shortcuts.ispazio.net"
PER_PAGE = 5


def answer(world: World, ask: Ask) -> Answer:
    """Return the answer to a request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /wp-admin/")
    if ask.path == "/wp-json/wp/v2/posts":
        return _rest(world, ask)
    listed = re.fullmatch(r"/(?:page/(\d+)/)?", ask.path)
    if listed:
        return _list(world, int(listed.group(1) or 1))
    match = re.fullmatch(r"/comando-(\d+)/", ask.path)
    entry = world.find(SITE, int(match.group(1))) if match else None
    return _post(entry) if entry else plain_404()


def _content(entry: Posted) -> str:
    return (
        f"<p>{escape(entry.description or '')}</p>\n"
        f'<p><a href="{escape(entry.link or "")}">Scarica il comando</a></p>'
    )


def _rest(world: World, ask: Ask) -> Answer:
    entries = world.posted(SITE)
    size, number = ask.number("per_page", 10), ask.number("page")
    last = -(-len(entries) // size)
    if number > last:
        return as_json({"code": "rest_post_invalid_page_number", "message": "Oltre."}, 400)
    rows = [
        {
            "id": entry.number,
            "link": f"{HOME}/comando-{entry.number}/",
            "date": entry.updated,
            "modified": entry.updated,
            "title": {"rendered": escape(entry.name)},
            "content": {"rendered": _content(entry)},
        }
        for entry in entries[(number - 1) * size : number * size]
    ]
    counts = (("X-WP-Total", str(len(entries))), ("X-WP-TotalPages", str(last)))
    return as_json(rows, headers=counts)


def _list(world: World, number: int) -> Answer:
    entries = world.posted(SITE)
    chosen = entries[(number - 1) * PER_PAGE : number * PER_PAGE]
    rows = "".join(
        f'<article><h2><a href="/comando-{entry.number}/">{escape(entry.name)}</a></h2></article>'
        for entry in chosen
    )
    more = number * PER_PAGE < len(entries)
    following = f'<a class="next" href="/page/{number + 1}/">Successivi</a>' if more else ""
    return page("Comandi", f"<main>{rows}</main>{following}")


def _post(entry: Posted) -> Answer:
    body = (
        f'<main><article><h1 class="entry-title">{escape(entry.name)}</h1>'
        f'<time datetime="{entry.updated}">{entry.updated}</time>'
        f'<div class="entry-content">{_content(entry)}</div></article></main>'
    )
    return page(entry.name, body)


def entries() -> list[Posted]:
    """Return the entries that the site lists."""
    return local(SITE, "it", 12, 200, 560)
