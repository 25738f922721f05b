"""An imitation of a WordPress theme that several sites use.

Posts show likes and reads, and every page repeats a side list of "hot" posts.
"""

import re
from dataclasses import dataclass

from demo.replica.exchange import Request, Response, escape, page, page_of, plain_404
from demo.replica.posted import Posted
from demo.replica.world import World

PER_PAGE = 10


@dataclass(frozen=True)
class Theme:
    """A site with this theme; the text `tail` ends every description."""

    site: str
    tail: str = ""

    def answer(self, world: World, request: Request) -> Response:
        """Return the site's response to a request."""
        listed = re.fullmatch(r"/(?:page/(\d+))?/?", request.path)
        if listed:
            return self._list(world, int(listed.group(1) or 1))
        match = re.fullmatch(r"/(\d+)\.html", request.path)
        entry = world.find(self.site, int(match.group(1))) if match else None
        return self._post(world, entry) if entry else plain_404()

    def _hot(self, world: World) -> str:
        rows = "".join(
            f'<li><h2><a href="/{entry.number}.html">{escape(entry.name)}</a></h2></li>'
            for entry in world.posted(self.site)[:4]
        )
        other = "https://www.icloud.com/shortcuts/00000000000000000000000000000000"
        return f'<aside class="widget_hot"><ul>{rows}</ul><a href="{other}">Hot</a></aside>'

    def _list(self, world: World, number: int) -> Response:
        chosen, _ = page_of(world.posted(self.site), number, PER_PAGE)
        rows = "".join(
            f'<article><h2><a href="/{entry.number}.html">{escape(entry.name)}</a></h2></article>'
            for entry in chosen
        )
        # The theme links a next page even after the last one.
        following = f'<div class="next-page"><a href="/page/{number + 1}">Next</a></div>'
        body = f'<div class="posts-wrapper">{rows}</div>{following}{self._hot(world)}'
        return page(self.site, body)

    def _post(self, world: World, entry: Posted) -> Response:
        label = entry.categories[0] if entry.categories else entry.author or ""
        body = (
            f'<main><article><h1 class="article-title">{escape(entry.name)}</h1>'
            f'<div class="article-meta"><span class="category">{escape(label)}</span>'
            f'<time datetime="{entry.updated}">{entry.updated}</time>'
            f'<span class="likes">{entry.favorites}</span>'
            f'<span class="views">{entry.reads}</span></div>'
            f'<div class="article-content"><p>{escape(entry.description or "")}</p>'
            f"<p>{escape(self.tail)}</p></div>"
            f'<a class="get" href="{escape(entry.link or "")}">iCloud</a></article></main>'
        )
        return page(entry.name, body + self._hot(world))
