"""The one JSON answer of a site that closed."""

from datetime import UTC, datetime
from itertools import groupby
from urllib.parse import quote

from demo.replica.exchange import Answer, Ask, as_json, not_found, robots
from demo.replica.posted import Posted
from demo.replica.world import World

HOSTS = ("shortcuts.sspai.com",)
SITE = "sspai"


def answer(world: World, ask: Ask) -> Answer:
    """The answer for one request."""
    if ask.path == "/robots.txt":
        return robots("Disallow:")
    if ask.path != "/api/v1/user/workflow/all/get":
        return not_found()
    groups = groupby(world.posted(SITE), key=lambda one: one.categories[0])
    return as_json(
        {
            "error": 0,
            "data": {
                "data": [
                    {"name": name, "data": [_entry(one) for one in entries]}
                    for name, entries in groups
                ]
            },
        }
    )


def _entry(one: Posted) -> dict[str, object]:
    moment = datetime.fromisoformat(f"{one.updated}T12:00:00").replace(tzinfo=UTC)
    return {
        "id": one.number,
        "name": one.name,
        "description": quote(one.description or ""),
        "url": one.link,
        "utime": int(moment.timestamp()),
        "downloads": one.downloads,
    }
