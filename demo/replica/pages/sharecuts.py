"""A JSON response with shortcut files that the site stores itself; the site is closed."""

import uuid

import msgspec

from demo.replica.exchange import Answer, Ask, as_json, plain_404, robots
from demo.replica.posted import Posted, cycled, local
from demo.replica.shared import shared_shortcuts
from demo.replica.world import World

HOSTS = ("sharecuts.app",)
SITE = "sharecuts"


def answer(world: World, ask: Ask) -> Answer:
    """Return the answer to a request."""
    if ask.path == "/robots.txt":
        return robots("Disallow: /admin/")
    entries = world.posted(SITE)
    if ask.path == "/api/shortcuts/latest":
        return as_json({"results": [_entry(entry) for entry in entries]})
    file = next((entry.data for entry in entries if (entry.link or "").endswith(ask.path)), None)
    if ask.path.startswith("/download/") and file is not None:
        return Answer(200, file, (("Content-Type", "application/octet-stream"),))
    return plain_404()


def _entry(entry: Posted) -> dict[str, object]:
    return {
        "id": entry.number,
        "title": entry.name,
        "summary": entry.description,
        "votes": entry.favorites,
        "downloadURL": (entry.link or "").removeprefix("https://sharecuts.app"),
        "user": {"name": entry.author},
    }


def _own_file(number: int) -> str:
    name = uuid.uuid5(uuid.NAMESPACE_URL, str(number))
    return f"https://sharecuts.app/download/{name}.shortcut"


def entries() -> list[Posted]:
    """Return the entries that the site lists."""
    cycled_entries = cycled(
        local(SITE, "en", 8, 10, 30),
        favorites=(3, 9, 27),
        author=("mossandfern",),
        updated=(None,),
    )
    every = {shortcut.icloud_id: shortcut for shortcut in shared_shortcuts()}
    return [
        msgspec.structs.replace(
            entry,
            link=_own_file(entry.number),
            icloud_id=None,
            data=every[entry.icloud_id or ""].data,
        )
        for entry in cycled_entries
    ]
