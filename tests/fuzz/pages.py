"""Make fuzz seeds from the pages that the replica of every site serves.

A seed has three lines (site, address, Content-Type) and the body. Mutants mostly change the body
only, so that they reach the adapter of their site.
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
from tests.fuzz.mutations import mutate_bytes

MAX_PAGES = 6
_TYPES = (b"text/html", b"text/html; charset=idna", b"text/html; charset=gbk", b"application/json")


def page_seeds(*, markup: bool) -> list[bytes]:
    """Return pages of every site, from its start pages on, either HTML pages or the others."""
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
    """Return the body of a seed, or the whole file if it lacks the three lines."""
    lines = data.split(b"\n", 3)
    has_site = len(lines) == 4 and lines[0].decode("utf-8", "replace") in SITES.names()
    return lines[3] if has_site else data


def mutate_body(chance: Random, files: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Return a mutant of a page; few mutants get another site's name or another type."""
    site, url, kind, body = chance.choice(files).split(b"\n", 3)
    if chance.random() < 0.05:
        site = chance.choice(sorted(SITES.names())).encode()
    if chance.random() < 0.1:
        kind = chance.choice(_TYPES)
    other_bodies = [file.split(b"\n", 3)[3] for file in chance.choices(files, k=2)]
    return b"\n".join([site, url, kind, mutate_bytes(chance, [body, body, *other_bodies], words)])


def rows_of_page(data: bytes) -> list[object]:
    """Return the listings of a mutant; every site reads a body without the three lines."""
    lines = data.split(b"\n", 3)
    named_site = SITES.all().get(lines[0].decode("utf-8", "replace"))
    sites = [named_site] if named_site is not None else []
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
