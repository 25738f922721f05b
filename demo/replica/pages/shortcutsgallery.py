"""An imitation of shortcutsgallery.com: a script adds 30 cards for each press of "load more"."""

from demo.replica.exchange import Request, Response, as_json, escape, page, plain_404
from demo.replica.posted import Posted, pick, posted
from demo.replica.world import World

HOSTS = ("shortcutsgallery.com",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "shortcutsgallery"
PER_LOAD = 30
_SCRIPT = """<script>
var loaded = 0;
function more() {
  var list = document.querySelector('.cards');
  var button = document.querySelector('.load-more');
  button.disabled = true;
  fetch('/load-more?category=' + list.dataset.category + '&offset=' + loaded)
    .then(function (answer) { return answer.json(); })
    .then(function (batch) {
      list.insertAdjacentHTML('beforeend', batch.cards);
      loaded += batch.count;
      button.disabled = false;
      if (batch.last) { button.remove(); }
    });
}
document.querySelector('.load-more').addEventListener('click', more);
</script>"""


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path == "/":
        links = "".join(
            f'<li><a href="/shortcuts-category/{slug}/">{slug}</a></li>'
            for slug in GALLERY_CATEGORIES
        )
        return page("Shortcuts Gallery", f"<nav><ul>{links}</ul></nav><h1>Gallery</h1>")
    slug = request.path.removeprefix("/shortcuts-category/").strip("/")
    if slug in GALLERY_CATEGORIES:
        button = '<button class="load-more">Load more</button>'
        body = f'<div class="cards" data-category="{slug}"></div>{button}{_SCRIPT}'
        return page(slug, body)
    if request.path == "/load-more":
        return _batch(world, request.query.get("category", ""), request.number("offset", 0))
    return plain_404()


def _batch(world: World, slug: str, offset: int) -> Response:
    entries = [entry for entry in world.posted(SITE) if slug in entry.categories]
    chosen = entries[offset : offset + PER_LOAD]
    cards = "".join(_card(entry) for entry in chosen)
    last = offset + len(chosen) >= len(entries)
    return as_json({"cards": cards, "count": len(chosen), "last": last})


def _card(entry: Posted) -> str:
    stars = f'<span class="stars" data-rating="{entry.rating}"></span>' if entry.rating else ""
    return (
        f'<article class="shortcut-card"><h3><a href="/shortcuts/entry-{entry.number}/">'
        f"{escape(entry.name)}</a></h3>{stars}"
        f'<p class="card-text">{escape(entry.description or "")}</p>'
        f'<a class="get" href="{escape(entry.link or "")}">Get shortcut</a></article>'
    )


GALLERY_CATEGORIES = ("games", "developer-tools", "our-favourites")


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    # The third category repeats entries of the first one.
    games, tools, favourites = GALLERY_CATEGORIES
    return [
        posted(
            SITE,
            index,
            shortcut,
            categories=(games if index < 65 else tools, *((favourites,) if index < 10 else ())),
            rating=1 + index % 5 if index % 6 else None,
        )
        for index, shortcut in enumerate(pick(95, 130))
    ]
