"""Pages of every site as seeds: what the replica answers, each with the address it stands at.

A seed is three lines (site, address, Content-Type) and the body; mutants change the body only, so
that each reaches the adapter it is meant for.
"""

from collections.abc import Sequence
from random import Random
from urllib.parse import urlsplit

from benchloom.core.records import Header
from demo.replica.exchange import read_request
from demo.replica.pages import RESPONDERS
from demo.replica.server import build_world
from scrapers.pages.page import Page
from scrapers.pages.site import Site, Source, listings_of, read_page
from scrapers.sites import SITES
from tests.fuzz.mutations import mutated

MAX_PAGES = 6
_TYPES = (b"text/html", b"text/html; charset=idna", b"text/html; charset=gbk", b"application/json")


def page_seeds(*, markup: bool) -> list[bytes]:
    """Pages with markup, or the others, of every site: its starts and what they lead to."""
    world = build_world()
    seeds: list[bytes] = []
    for site in SITES.all().values():
        queue = [request.url for request in site.starts()]
        for url in queue:
            if len(queue) > MAX_PAGES * 4:
                break
            parts = urlsplit(url)
            host = parts.hostname or ""
            target = parts._replace(scheme="", netloc="").geturl()
            if host not in RESPONDERS.all():
                continue
            answer = RESPONDERS.find(host).answer(
                world, read_request("GET", target, {"host": host}, b"")
            )
            seed = _seed(site, url, answer.body)
            parsed = read_page(site, _page(url, b"text/html", answer.body))
            queue += [
                next_request.url for next_request in parsed.follow if next_request.url not in queue
            ][:MAX_PAGES]
            if answer.body.lstrip().startswith(b"<") == markup and answer.body:
                seeds.append(seed)
    return seeds


def _seed(site: Site, url: str, body: bytes) -> bytes:
    return b"\n".join([site.name.encode(), url.encode(), b"text/html", body])


def page_body(data: bytes) -> bytes:
    """The body of a seed; of a file without the three lines, the whole of it."""
    lines = data.split(b"\n", 3)
    named = len(lines) == 4 and lines[0].decode("utf-8", "replace") in SITES.names()
    return lines[3] if named else data


def mutate_body(chance: Random, files: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """A mutant of one page; rarely under another site's name or another type."""
    site, url, kind, body = chance.choice(files).split(b"\n", 3)
    if chance.random() < 0.05:
        site = chance.choice(sorted(SITES.names())).encode()
    if chance.random() < 0.1:
        kind = chance.choice(_TYPES)
    others = [file.split(b"\n", 3)[3] for file in chance.choices(files, k=2)]
    return b"\n".join([site, url, kind, mutated(chance, [body, body, *others], words)])


def rows_of_page(data: bytes) -> list[object]:
    """Every listing of one mutant; bodies without the three lines are read by every site."""
    lines = data.split(b"\n", 3)
    named = SITES.all().get(lines[0].decode("utf-8", "replace"))
    sites = [named] if named is not None else []
    if not sites or len(lines) < 4:
        sites = list(SITES.all().values())
        lines = [b"", b"", b"", data]
    rows: list[object] = []
    for site in sites:
        address = lines[1].decode("utf-8", "replace") or None
        for status in (200, 404):
            page = _page(address, lines[2], lines[3], status)
            parsed = read_page(site, page)
            rows += listings_of(site, parsed, Source("mutant", "file:sha256:00"))
    return rows


def _page(url: str | None, kind: bytes, body: bytes, status: int = 200) -> Page:
    headers = (Header("Content-Type", kind.decode("latin-1")),)
    return Page(url=url, status=status, headers=headers, body=body)
