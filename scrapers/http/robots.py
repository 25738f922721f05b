"""Permissions for crawling: a host's robots.txt (RFC 9309), and Reddit's access token."""

import base64

import msgspec
from protego import Protego

from scrapers.errors import SettingsError, SiteRefusedError
from scrapers.http.client import Client
from scrapers.settings import CrawlSettings

AGENT = "benchloom"
LONGEST_DELAY = 60.0
"""Maximum Crawl-delay in seconds; a crawl with a longer delay would take too long."""
_LARGEST = 512 * 1024


class Robots(msgspec.Struct, frozen=True):
    """The robots.txt rules of one host; without rules, all URLs are allowed, or none is."""

    rules: Protego | None
    allow_all: bool

    def allows(self, url: str) -> bool:
        """Whether the rules allow a request for this URL."""
        return self.rules.can_fetch(url, AGENT) if self.rules is not None else self.allow_all

    def delay(self) -> float:
        """The Crawl-delay in seconds, or 0 if there is none."""
        seconds = self.rules.crawl_delay(AGENT) if self.rules is not None else None
        return float(seconds) if seconds is not None else 0.0


def read_robots(status: int, body: bytes) -> Robots:
    """Parse the rules in a response: a missing file allows all, a server fault forbids all."""
    if 200 <= status < 300:
        return Robots(Protego.parse(body[:_LARGEST].decode("utf-8", "replace")), allow_all=True)
    return Robots(None, allow_all=400 <= status < 500)


TOKEN_ADDRESS = "https://www.reddit.com/api/v1/access_token"


class _Token(msgspec.Struct):
    access_token: str


def api_headers(settings: CrawlSettings) -> dict[str, str]:
    """Return a User-Agent header in the form that Reddit requires of API clients."""
    user = f"by /u/{settings.reddit_username}; " if settings.reddit_username else ""
    return {"User-Agent": f"python:benchloom:0.1 ({user}+{settings.contact})"}


def application_token(client: Client) -> str:
    """Request and return a bearer token for read-only use.

    Raises:
        SettingsError: the environment lacks the credentials.
        SiteRefusedError: the site returned no token.
    """
    settings = client.settings
    if not settings.reddit_client_id or not settings.reddit_client_secret:
        raise SettingsError("reddit needs REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET")
    pair = f"{settings.reddit_client_id}:{settings.reddit_client_secret}".encode()
    headers = api_headers(settings) | {"Authorization": "Basic " + base64.b64encode(pair).decode()}
    answer = client.post_form(TOKEN_ADDRESS, {"grant_type": "client_credentials"}, headers)
    try:
        return msgspec.json.decode(answer.body, type=_Token).access_token
    except (msgspec.ValidationError, msgspec.DecodeError):
        raise SiteRefusedError(
            TOKEN_ADDRESS, f"no token (HTTP {answer.status}); check the credentials"
        ) from None
