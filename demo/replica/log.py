"""The replica's request log, and what it says about a client's manners."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from protego import Protego

from demo.replica.exchange import Ask
from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.world import World
from scrapers.sites import SITES


@dataclass(frozen=True)
class Seen:
    """One request: who asked what over which connection, when (monotonic seconds), with what end.

    `started` is when the request line had arrived, `ended` when the answer was ready to leave.
    `sent` is the size of the body. `by_browser` marks requests of a rendered page's own scripts.
    """

    host: str
    connection: int
    method: str
    path: str
    status: int
    started: float
    ended: float
    sent: int
    user_agent: str
    by_browser: bool


def complaints(
    log: Iterable[Seen], world: World, delay: float, contact: str, tolerance: float = 0.0005
) -> list[str]:
    """Every breach of manners: robots.txt, rate, connections, identity; empty is polite."""
    breaches: list[str] = []
    hosts: defaultdict[str, list[Seen]] = defaultdict(list)
    for seen in sorted(log, key=lambda entry: entry.started):
        hosts[seen.host].append(seen)
    for host, requests in sorted(hosts.items()):
        rules = _rules(host, world)
        least = max(delay, float(rules.crawl_delay("benchloom") or 0))
        if _has_robots(host):
            if requests[0].path != "/robots.txt":
                breaches.append(f"{host}: {requests[0].path} before robots.txt")
            breaches += [
                f"{host}: {seen.path} is disallowed"
                for seen in requests
                if not rules.can_fetch(f"https://{host}{seen.path}", "benchloom")
            ]
        for earlier, later in pairwise(requests):
            gap = later.started - earlier.started
            if gap < least - tolerance:
                breaches.append(
                    f"{host}: {later.path} {gap:.3f} s after {earlier.path}, not {least}"
                )
            if later.started < earlier.ended and earlier.connection != later.connection:
                breaches.append(f"{host}: {later.path} while {earlier.path} was being answered")
        breaches += [
            f"{host}: '{seen.user_agent}' names no contact"
            for seen in requests
            if contact not in seen.user_agent
        ]
    return breaches


def _rules(host: str, world: World) -> Protego:
    ask = Ask("GET", host, "/robots.txt", {}, {})
    return Protego.parse(RESPONDERS.find(host).answer(world, ask).body.decode())


def _has_robots(host: str) -> bool:
    """Whether a client has to ask for robots.txt; an API has terms of its own."""
    site = RESPONDERS.find(host)
    return not isinstance(site, SharingSite) or SITES.find(site.SITE).robots_apply


def rate_of(log: Iterable[Seen], host: str) -> float:
    """Requests per second of one host, between its first and its last request."""
    times = sorted(seen.started for seen in log if seen.host == host)
    if len(times) < 2:
        return 0.0
    return (len(times) - 1) / (times[-1] - times[0])
