"""An imitation of siri-shortcuts.de: a few pages with links to each other and to iCloud."""

from demo.replica.exchange import Request, Response, escape, page, plain_404
from demo.replica.posted import Posted, cycled, local
from demo.replica.world import World

HOSTS = ("siri-shortcuts.de",)
ROBOTS = ("Disallow: /intern/",)
SITE = "siri_shortcuts_de"
PER_PAGE = 3


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    entries = world.posted(SITE)
    batches = [entries[at : at + PER_PAGE] for at in range(0, len(entries), PER_PAGE)]
    if request.path == "/":
        links = "".join(f'<a href="/seite-{n}">Seite {n}</a> ' for n in range(2, len(batches) + 1))
        gate = '<a href="/intern/liste">Intern</a> <a href="https://example.org/">Fremd</a>'
        return page("Siri Shortcuts", f"<h1>Kurzbefehle</h1>{_rows(batches[0])}{links}{gate}")
    name, _, number = request.path.strip("/").partition("-")
    if name == "seite" and number.isdigit() and 2 <= int(number) <= len(batches):
        return page("Siri Shortcuts", _rows(batches[int(number) - 1]) + '<a href="/">Start</a>')
    return plain_404()


def _rows(entries: list[Posted]) -> str:
    return "".join(
        f"<h3>{escape(entry.name)}</h3><p>{escape(entry.description or '')} "
        f'<a href="{escape(entry.link or "")}">Herunterladen</a></p>'
        for entry in entries
    )


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    return cycled(local(SITE, "de", 8, 30, 8), updated=(None,))
