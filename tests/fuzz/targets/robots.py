"""Fuzz robots.txt files with their rules and delays."""

from scrapers.http.robots import read_robots
from tests.fuzz import Target

_WORDS = (
    b"User-agent: *\n", b"Disallow: ", b"Allow: ", b"Crawl-delay: ", b"Sitemap: ",
    b"Request-rate: 1/",
    b"*a" * 40, b"$", b"%", b"\xef\xbb\xbf", b"1e999", b"nan", "²".encode(), b"Visit-time: ",
)  # fmt: skip
_PATHS = ("/", "/a/b?c=d", "/" + "a" * 200, "/%zz/é", "/robots.txt")


def seeds() -> list[bytes]:
    """Return rules as sites write them."""
    return [
        b"User-agent: *\nDisallow: /admin/\nAllow: /admin/open*$\nCrawl-delay: 3\n",
        b"User-agent: benchloom\nDisallow: /*?sort=*\n\nUser-agent: *\nDisallow:\n",
        b"User-agent: *\nRequest-rate: 1/5\nSitemap: https://x.example/map.xml\n",
        b"\xef\xbb\xbfuser-agent:*\r\ndisallow:/a%20b\r\ncrawl-delay:0.5\r\n" * 20,
    ]


def read(data: bytes) -> int:
    """Return how many addresses the rules allow, plus one if the rules state a delay."""
    robots = read_robots(200, data)
    allowed = sum(robots.allows(f"https://x.example{path}") for path in _PATHS)
    return allowed + bool(robots.delay() > 0)


TARGET = Target("robots", seeds, read, words=_WORDS)
