"""A WordPress REST collection with its headers, and a library page open to everybody."""

from demo.replica.exchange import Answer, Ask, as_json, escape, not_found, page, robots
from demo.replica.posted import Posted, day, link_of, pick
from demo.replica.words import sentence
from demo.replica.world import World

HOSTS = ("matthewcassinelli.com",)
SITE = "matthewcassinelli"
HOME = "https://matthewcassinelli.com"


def answer(world: World, ask: Ask) -> Answer:
    """The answer for one request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /wp-admin/")
    if ask.path == "/sirishortcuts/library/free/":
        return _library(world)
    if ask.path == "/wp-json/wp/v2/shortcuts":
        return _rest(world, ask)
    return not_found()


def _library(world: World) -> Answer:
    rows = "".join(
        f'<li><a href="{escape(one.link)}">{escape(one.name)}</a></li>'
        for one in world.expected(SITE)
        if one.link
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
    return as_json([_post(one) for one in chosen], headers=counts)


def _post(one: Posted) -> dict[str, object]:
    fields: object = False
    if one.link:
        fields = {
            "shortcut_name": one.name,
            "description": one.description,
            "icloud_link": one.link,
            "action_count": str(one.number % 20),
        }
    return {
        "id": one.number,
        "link": f"{HOME}/shortcuts/entry-{one.number}/",
        "date": one.updated,
        "modified": one.updated,
        "title": {"rendered": escape(one.name).replace("\u2019", "&#8217;")},
        "acf": fields,
        # Membership terms tell nothing: open entries carry them as well.
        "membership": [1804] if one.number % 3 else [],
    }


def entries() -> list[Posted]:
    """What it lists."""
    found = [
        Posted(
            site=SITE,
            number=30_000 - place,
            name=f"{one.name}: it\u2019s here" if place % 10 == 0 else one.name,
            description=sentence(one.number, "en"),
            link=link_of(one),
            icloud_id=one.icloud_id,
            updated=f"{day(place)}T08:00:00",
            member_only=place % 4 == 3,
        )
        for place, one in enumerate(pick(120, 0))
    ]
    return [
        *found,
        Posted(
            site=SITE,
            number=29_000,
            name="Something for later",
            updated=f"{day(130)}T08:00:00",
        ),
    ]
