"""An imitation of matthewcassinelli.com: a WordPress REST API, and a free library page."""

from demo.replica.exchange import Request, Response, collection, escape, page, plain_404
from demo.replica.posted import Posted, day, pick, posted
from demo.replica.world import World

HOSTS = ("matthewcassinelli.com",)
ROBOTS = ("Disallow: /wp-admin/",)
SITE = "matthewcassinelli"
HOME = "https://matthewcassinelli.com"


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path == "/sirishortcuts/library/free/":
        return _library(world)
    if request.path == "/wp-json/wp/v2/shortcuts":
        return collection(request, world.posted(SITE), _post, "No such page.")
    return plain_404()


def _library(world: World) -> Response:
    rows = "".join(
        f'<li><a href="{escape(entry.link)}">{escape(entry.name)}</a></li>'
        for entry in world.expected(SITE)
        if entry.link
    )
    return page("Free library", f"<h1>Free library</h1><ul>{rows}</ul>")


def _post(entry: Posted) -> dict[str, object]:
    fields: object = False
    if entry.link:
        fields = {
            "shortcut_name": entry.name,
            "description": entry.description,
            "icloud_link": entry.link,
            "action_count": str(entry.number % 20),
        }
    return {
        "id": entry.number,
        "link": f"{HOME}/shortcuts/entry-{entry.number}/",
        "date": entry.updated,
        "modified": entry.updated,
        "title": {"rendered": escape(entry.name).replace("\u2019", "&#8217;")},
        "acf": fields,
        # Membership terms say nothing: open entries have them, too.
        "membership": [1804] if entry.number % 3 else [],
    }


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    posted_entries = [
        posted(
            SITE,
            30_000 - index,
            shortcut,
            name=f"{shortcut.name}: it\u2019s here" if index % 10 == 0 else shortcut.name,
            updated=f"{day(index)}T08:00:00",
            member_only=index % 4 == 3,
        )
        for index, shortcut in enumerate(pick(120, 0))
    ]
    return [
        *posted_entries,
        Posted(
            site=SITE,
            number=29_000,
            name="Something for later",
            updated=f"{day(130)}T08:00:00",
        ),
    ]
