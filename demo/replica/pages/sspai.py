"""An imitation of shortcuts.sspai.com, a closed site whose entries are in one JSON response."""

from datetime import UTC, datetime
from itertools import groupby
from urllib.parse import quote

from demo.replica.exchange import Request, Response, as_json, plain_404
from demo.replica.posted import Posted, cycled, local
from demo.replica.world import World

HOSTS = ("shortcuts.sspai.com",)
ROBOTS = ("Disallow:",)
SITE = "sspai"


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    if request.path != "/api/v1/user/workflow/all/get":
        return plain_404()
    groups = groupby(world.posted(SITE), key=lambda entry: entry.categories[0])
    return as_json(
        {
            "error": 0,
            "data": {
                "data": [
                    {"name": name, "data": [_entry(entry) for entry in entries]}
                    for name, entries in groups
                ]
            },
        }
    )


def _entry(entry: Posted) -> dict[str, object]:
    moment = datetime.fromisoformat(f"{entry.updated}T12:00:00").replace(tzinfo=UTC)
    return {
        "id": entry.number,
        "name": entry.name,
        "description": quote(entry.description or ""),
        "url": entry.link,
        "utime": int(moment.timestamp()),
        "downloads": entry.downloads,
    }


def entries() -> list[Posted]:
    """Return the entries that the site lists at first, newest first."""
    cycled_entries = cycled(
        local(SITE, "zh", 20, 40, 400),
        categories=(("休闲娱乐",), ("图片",), ("效率",)),
        downloads=(45500, 66200, 1637800),
    )
    return sorted(cycled_entries, key=lambda entry: entry.categories)
