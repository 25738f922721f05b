"""Check the request log of the replica for impolite requests."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from protego import Protego

from demo.replica.exchange import robots
from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.server import LoggedRequest
from scrapers.sites import SITES


def impolite_requests(
    log: Iterable[LoggedRequest],
    delay: float,
    contact: str,
    tolerance: float = 0.0005,
) -> list[str]:
    """Return every breach of the rules on robots.txt, rate, connections and identity."""
    breaches: list[str] = []
    hosts: defaultdict[str, list[LoggedRequest]] = defaultdict(list)
    for request in sorted(log, key=lambda entry: entry.started):
        hosts[request.host].append(request)
    for host, requests in sorted(hosts.items()):
        rules = _rules(host)
        min_gap = max(delay, float(rules.crawl_delay("benchloom") or 0))
        if _has_robots(host):
            if requests[0].path != "/robots.txt":
                breaches.append(f"{host}: {requests[0].path} before robots.txt")
            breaches += [
                f"{host}: {request.path} is disallowed"
                for request in requests
                if not rules.can_fetch(f"https://{host}{request.path}", "benchloom")
            ]
        for earlier, later in pairwise(requests):
            gap = later.started - earlier.started
            if gap < min_gap - tolerance:
                breaches.append(
                    f"{host}: {later.path} {gap:.3f} s after {earlier.path}, not {min_gap}"
                )
            if later.started < earlier.ended and earlier.connection != later.connection:
                breaches.append(f"{host}: {later.path} while {earlier.path} was being answered")
        breaches += [
            f"{host}: '{request.user_agent}' names no contact"
            for request in requests
            if contact not in request.user_agent
        ]
    return breaches


def _rules(host: str) -> Protego:
    return Protego.parse(robots(*RESPONDERS.find(host).ROBOTS).body.decode())


def _has_robots(host: str) -> bool:
    """Return whether a client must request robots.txt, which does not apply to APIs."""
    site = RESPONDERS.find(host)
    return not isinstance(site, SharingSite) or SITES.find(site.SITE).robots_apply
