"""An imitation of jiejing.fun: a home page of nine sections, in which entries repeat."""

import re

from demo.replica.exchange import Request, Response, escape, page, plain_404
from demo.replica.posted import Posted, cycled, local
from demo.replica.world import World

HOSTS = ("jiejing.fun",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "jiejing_fun"


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path == "/":
        entries = world.posted(SITE)
        headings = dict.fromkeys(entry.categories[0] for entry in entries)
        return page("捷径", "".join(_section(name, entries) for name in headings))
    match = re.fullmatch(r"/sites/(\d+)\.html", request.path)
    entry = world.find(SITE, int(match.group(1))) if match else None
    return _detail(entry) if entry else plain_404()


def _section(name: str, entries: list[Posted]) -> str:
    own = [entry for entry in entries if entry.categories[0] == name]
    rows = "".join(
        f'<a class="card" href="/sites/{entry.number}.html">'
        f"<strong>{escape(entry.name)}</strong></a>"
        # Every section repeats two entries of others.
        for entry in (*own, *entries[:2])
    )
    return f'<div class="site-section"><h4>{escape(name)}</h4>{rows}</div>'


def _detail(entry: Posted) -> Response:
    body = (
        f'<div class="site-content"><a class="site-category">{escape(entry.categories[0])}</a>'
        f'<h1 class="site-name">{escape(entry.name)}</h1>'
        f'<p class="site-description">{escape(entry.description or "")}</p>'
        f'<a class="btn-go" href="{escape(entry.link or "")}">获取</a></div>'
    )
    return page(entry.name, body)


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    sections = tuple((f"分区{number}",) for number in range(1, 10))
    return cycled(local(SITE, "zh", 18, 60, 118), categories=sections, updated=(None,))
