"""Check the request log of the replica for impolite requests."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from protego import Protego

from demo.replica.exchange import robots
from demo.replica.pages import RESPONDERS, SharingSite
from demo.replica.server import LoggedRequest
from scrapers.sites import SITES


def complaints(
    log: Iterable[LoggedRequest],
    delay: float,
    contact: str,
    tolerance: float = 0.0005,
) -> list[str]:
    """Return every breach of the rules about robots.txt, rate, connections and identity."""
    breaches: list[str] = []
    hosts: defaultdict[str, list[LoggedRequest]] = defaultdict(list)
    for seen in sorted(log, key=lambda entry: entry.started):
        hosts[seen.host].append(seen)
    for host, requests in sorted(hosts.items()):
        rules = _rules(host)
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


def _rules(host: str) -> Protego:
    return Protego.parse(robots(*RESPONDERS.find(host).ROBOTS).body.decode())


def _has_robots(host: str) -> bool:
    """Whether a client must request robots.txt: APIs have other terms."""
    site = RESPONDERS.find(host)
    return not isinstance(site, SharingSite) or SITES.find(site.SITE).robots_apply
