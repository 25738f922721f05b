"""A WordPress REST collection with its headers, and a library page open to everybody."""

from demo.replica.exchange import Answer, Ask, as_json, escape, page, plain_404, robots
from demo.replica.posted import Posted, day, link_of, pick
from demo.replica.words import sentence
from demo.replica.world import World

HOSTS = ("matthewcassinelli.com",)
SITE = "matthewcassinelli"
HOME = "https://matthewcassinelli.com"


def answer(world: World, ask: Ask) -> Answer:
    """Return the answer to a request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /wp-admin/")
    if ask.path == "/sirishortcuts/library/free/":
        return _library(world)
    if ask.path == "/wp-json/wp/v2/shortcuts":
        return _rest(world, ask)
    return plain_404()


def _library(world: World) -> Answer:
    rows = "".join(
        f'<li><a href="{escape(entry.link)}">{escape(entry.name)}</a></li>'
        for entry in world.expected(SITE)
        if entry.link
    )
    return page("Free library", f"<h1>Free library</h1><ul>{rows}</ul>")


def _rest(world: World, ask: Ask) -> Answer:
    entries = world.posted(SITE)
    size, number = ask.number("per_page", 10), ask.number("page")
    last = -(-len(entries) // size)
    if number > last:
        return as_json({"code": "rest_post_invalid_page_number", "message": "No such page."}, 400)
    chosen = entries[(number - 1) * size : number * size]
    counts = (("X-WP-Total", str(len(entries))), ("X-WP-TotalPages", str(last)))
    return as_json([_post(entry) for entry in chosen], headers=counts)


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
        # Membership terms tell nothing: open entries carry them as well.
        "membership": [1804] if entry.number % 3 else [],
    }


def entries() -> list[Posted]:
    """Return the entries that the site lists."""
    posted_entries = [
        Posted(
            site=SITE,
            number=30_000 - index,
            name=f"{shortcut.name}: it\u2019s here" if index % 10 == 0 else shortcut.name,
            description=sentence(shortcut.number, "en"),
            link=link_of(shortcut),
            icloud_id=shortcut.icloud_id,
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
