"""Crawl settings with which a crawler sends all requests to a replica server."""

from demo.replica.pages.reddit import CLIENT_ID, CLIENT_SECRET
from demo.replica.server import Replica
from scrapers.settings import CrawlSettings

CONTACT = "https://example.org/benchloom-demo"


def replica_settings(replica: Replica | str, delay: float = 0.05, **other: object) -> CrawlSettings:
    """Return settings for a crawl of a running replica; `other` are values for further fields."""
    address = replica if isinstance(replica, str) else replica.address
    fields: dict[str, object] = {
        "contact": CONTACT,
        "replica": address,
        "delay": delay,
        "jitter": 0.05,
        "back_off": 0.02,
        "timeout": 30.0,
        "reddit_client_id": CLIENT_ID,
        "reddit_client_secret": CLIENT_SECRET,
        "reddit_username": "demo",
        **other,
    }
    return CrawlSettings(**fields)  # type: ignore[arg-type]  # checked by the class
