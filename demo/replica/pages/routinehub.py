"""An imitation of routinehub.co: lists of cards, detail pages, error pages and redirects.

The markup of detail pages has an unclosed paragraph, as on the real site.
"""

import re
from datetime import date

from demo.replica.exchange import Request, Response, escape, moved, page, page_of, plain_404
from demo.replica.posted import AUTHORS, Posted, day, pick, posted
from demo.replica.world import World

HOSTS = ("routinehub.co",)
ROBOTS = ("Disallow: /static/", "Disallow: /admin/", "Disallow: /api/")
SITE = "routinehub"
PER_PAGE = 15
NSFW, GONE = 950, 951


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path == "/shortcuts":
        return moved("/shortcuts/", 301)
    if request.path == "/shortcuts/":
        return _list(world, request)
    detail = re.fullmatch(r"/shortcut/(\d+)/?", request.path)
    if detail:
        return _detail(world, int(detail.group(1)))
    download = re.fullmatch(r"/download/(\d+)", request.path)
    if download:
        entry = world.find(SITE, int(download.group(1)) // 10)
        signed = request.query.get("t") == _token(int(download.group(1)))
        return moved(entry.link or "") if entry is not None and signed else plain_404()
    return plain_404()


def _list(world: World, request: Request) -> Response:
    number = request.number("page")
    chosen, last = page_of(world.posted(SITE), number, PER_PAGE)
    cards = "".join(_card(entry.number, entry) for entry in chosen)
    if number == 1:
        # Cards of entries that turn out to be gated or gone.
        cards += _card(NSFW, None) + _card(GONE, None)
    body = (
        f'<section id="content"><div class="columns">{cards}</div>{_pages(number, last)}</section>'
    )
    return page("RoutineHub", body, head='<meta property="og:url" content="/shortcuts/">')


def _card(number: int, entry: Posted | None) -> str:
    name = escape(entry.name) if entry else "Behind a door"
    tagline = escape(entry.tagline or "") if entry else ""
    downloads, hearts = (entry.downloads, entry.favorites) if entry else (0, 0)
    icons = "".join(
        f'<i class="fas" title="{escape(c)}"></i>' for c in (entry.categories if entry else ())
    )
    return (
        f'<div class="column"><a href="/shortcut/{number}/"><div class="shortcut-card card">'
        f'<div class="content"><p><strong>{name}</strong><br><small>{tagline}</small></p></div>'
        '<nav class="level"><div class="level-right"><span class="level-item"><small>'
        f'<span class="icon"><i class="fas fa-download"></i></span> {downloads}</small></span>'
        '<span class="level-item"><small><span class="icon"><i class="fas fa-heart"></i></span>'
        f' {hearts}</small></span></div><div class="level-left categories">{icons}</div></nav>'
        "</div></a></div>"
    )


def _pages(number: int, last: int) -> str:
    links = "".join(
        f'<li><a class="pagination-link{" is-current" if page_number == number else ""}" '
        f'href="?page={page_number}&amp;sort=newest">{page_number}</a></li>'
        for page_number in range(1, last + 1)
    )
    return f'<nav class="pagination"><ul class="pagination-list">{links}</ul></nav>'


def _detail(world: World, number: int) -> Response:
    if number == NSFW:
        return _error("Shortcut is NSFW", "This one is for grown-ups. Please log in.")
    entry = world.find(SITE, number)
    if entry is None:
        return _error("Shortcut not found", "There is no such shortcut.")
    version = number * 10
    categories = "".join(
        f'<li><a href="/category/{escape(c.lower())}/"><span class="fa-li"></span>'
        f"{escape(c)}</a></li>"
        for c in entry.categories
    )
    author = entry.author or ""
    body = f"""<section id="content"><article class="shortcut-header">
<h3 class="title is-3">{escape(entry.name)}</h3>
<h4 class="subtitle is-4">{escape(entry.tagline or "")}</h4></article>
<div class="column sidebar"><div class="actions">
<a href="/download/{version}?t={_token(version)}" class="button">Get Shortcut</a>
<a href="/shortcut/{number}/report" class="button">Report</a></div>
<div class="heart" data-id="{number}"><span class="heart-count">{entry.favorites}</span></div>
<div class="information"><p>Author:
<a href="/user/{escape(author[1:])}/"><strong>{escape(author)}</strong></a>
<p>Version: {escape(entry.version or "")}</p><p>iOS: {entry.system_version}</p>
<p>Updated: {_american(entry.updated or "")}</p><p>Downloads: {entry.downloads}</p>
<p>Categories:</p><ul class="fa-ul">{categories}</ul></div></div>
<div class="description"><h4>Description</h4><div class="content">
<p>{escape(entry.description or "")}</p></div></div></section>"""
    return page(f"RoutineHub {entry.name}", body)


def _token(version: int) -> str:
    return f"t{version * 7919 % 99991}"


def _american(text: str) -> str:
    return date.fromisoformat(text).strftime("%m/%d/%y")


def _error(title: str, text: str) -> Response:
    body = (
        '<section id="content"><section class="hero"><h3 class="title is-3">\n'
        f'Error: {title}\n</h3><h4 class="subtitle is-4">{text}</h4></section></section>'
    )
    return page("RoutineHub", body)


_HUB_CATEGORIES = ("Utilities", "Productivity", "Food and Drink", "Photo & Video")


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    return [
        posted(
            SITE,
            900 - index,
            shortcut,
            tagline=f"A {shortcut.name.split()[-1].lower()} for your pocket",
            categories=(
                _HUB_CATEGORIES[index % 4],
                *((_HUB_CATEGORIES[(index + 1) % 4],) if index % 3 == 0 else ()),
            ),
            version=f"1.{index % 9}",
            system_version=str(12 + index % 6),
            updated=day(index),
            downloads=index * 37,
            favorites=index % 11,
            author=AUTHORS[index % 5],
        )
        for index, shortcut in enumerate(pick(37, 100))
    ]
