"""Reads the robots.txt (RFC 9309) of the hosts that a crawl contacts."""

import msgspec
from protego import Protego

AGENT = "benchloom"
LONGEST_DELAY = 60.0
"""Seconds; a site with a longer Crawl-delay is not crawled, because that would never end."""
_LARGEST = 512 * 1024


class Robots(msgspec.Struct, frozen=True):
    """The robots.txt rules of one host; without rules, everything or nothing is allowed."""

    rules: Protego | None
    allow_all: bool

    def allows(self, url: str) -> bool:
        """Whether the rules allow a request for this URL."""
        return self.rules.can_fetch(url, AGENT) if self.rules is not None else self.allow_all

    def delay(self) -> float:
        """The Crawl-delay in seconds, 0 if there is none."""
        seconds = self.rules.crawl_delay(AGENT) if self.rules is not None else None
        return float(seconds) if seconds is not None else 0.0


def read_robots(status: int, body: bytes) -> Robots:
    """Parse the rules in a response: a missing file allows all, a server fault forbids all."""
    if 200 <= status < 300:
        return Robots(Protego.parse(body[:_LARGEST].decode("utf-8", "replace")), allow_all=True)
    return Robots(None, allow_all=400 <= status < 500)
