"""An imitation of sharecuts.app, a closed site: a JSON response, and files stored by the site."""

import uuid

import msgspec

from demo.replica.exchange import Request, Response, as_json, plain_404
from demo.replica.posted import Posted, cycled, local
from demo.replica.shared import shared_shortcuts
from demo.replica.world import World

HOSTS = ("sharecuts.app",)
ROBOTS = ("Disallow: /admin/",)
SITE = "sharecuts"


def answer(world: World, request: Request) -> Response:
    """Return the site's response to a request."""
    entries = world.posted(SITE)
    if request.path == "/api/shortcuts/latest":
        return as_json({"results": [_entry(entry) for entry in entries]})
    file = next(
        (entry.data for entry in entries if (entry.link or "").endswith(request.path)), None
    )
    if request.path.startswith("/download/") and file is not None:
        return Response(200, file, (("Content-Type", "application/octet-stream"),))
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
    """Return the entries that the site lists at first, newest first."""
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
