"""Category pages whose script appends 30 cards per press of "load more"."""

from demo.replica.exchange import Answer, Ask, as_json, escape, page, plain_404, robots
from demo.replica.posted import Posted, link_of, pick
from demo.replica.words import sentence
from demo.replica.world import World

HOSTS = ("shortcutsgallery.com",)
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


def answer(world: World, ask: Ask) -> Answer:
    """Return the answer to a request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /wp-admin/")
    if ask.path == "/":
        links = "".join(
            f'<li><a href="/shortcuts-category/{slug}/">{slug}</a></li>'
            for slug in GALLERY_CATEGORIES
        )
        return page("Shortcuts Gallery", f"<nav><ul>{links}</ul></nav><h1>Gallery</h1>")
    slug = ask.path.removeprefix("/shortcuts-category/").strip("/")
    if slug in GALLERY_CATEGORIES:
        button = '<button class="load-more">Load more</button>'
        body = f'<div class="cards" data-category="{slug}"></div>{button}{_SCRIPT}'
        return page(slug, body)
    if ask.path == "/load-more":
        return _batch(world, ask.query.get("category", ""), ask.number("offset", 0))
    return plain_404()


def _batch(world: World, slug: str, offset: int) -> Answer:
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
    """Return the entries that the site lists."""
    posted_entries: list[Posted] = []
    for index, shortcut in enumerate(pick(95, 130)):
        # The third category repeats entries of the first one.
        first = GALLERY_CATEGORIES[0] if index < 65 else GALLERY_CATEGORIES[1]
        categories = (first, GALLERY_CATEGORIES[2]) if index < 10 else (first,)
        posted_entries.append(
            Posted(
                site=SITE,
                number=index,
                name=shortcut.name,
                description=sentence(shortcut.number, "en"),
                link=link_of(shortcut),
                icloud_id=shortcut.icloud_id,
                categories=categories,
                rating=1 + index % 5 if index % 6 else None,
            )
        )
    return posted_entries
