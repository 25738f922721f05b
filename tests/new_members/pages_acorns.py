"""The replica of the sample site: its entries, and the answer that lists them."""

from demo.replica.exchange import Request, Response, as_json, plain_404
from demo.replica.posted import Posted, local
from demo.replica.world import World

HOSTS = ("acorns.example",)
ROBOTS = ("Disallow: /beds/",)
SITE = "acorns"


def answer(world: World, request: Request) -> Response:
    """Return the answer to a request."""
    if request.path != "/list.json":
        return plain_404()
    return as_json({"trees": [_entry(post) for post in world.posted(SITE)]})


def _entry(post: Posted) -> dict[str, object]:
    return {
        "number": str(post.number),
        "name": post.name,
        "text": post.description,
        "link": post.link,
        "day": post.updated,
    }


def entries() -> list[Posted]:
    """Return the entries that the site lists."""
    return local(SITE, "en", 9, 12, 70)
