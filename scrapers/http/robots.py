"""This module obtains permissions for crawling: robots.txt (RFC 9309) and Reddit's access token."""

import base64

import msgspec
from protego import Protego

from scrapers.errors import SettingsError, SiteRefusedError
from scrapers.http.client import Client
from scrapers.settings import CrawlSettings

AGENT = "benchloom"
LONGEST_DELAY = 60.0
"""The maximum Crawl-delay in seconds; a crawl with a longer delay would take too long."""
_LARGEST = 512 * 1024


class Robots(msgspec.Struct, frozen=True):
    """The rules of a host's robots.txt.

    If `rules` is None, `allow_all` says whether all URLs are allowed or none.
    """

    rules: Protego | None
    allow_all: bool

    def allows(self, url: str) -> bool:
        """Whether the rules allow benchloom to request a URL."""
        return self.rules.can_fetch(url, AGENT) if self.rules is not None else self.allow_all

    def delay(self) -> float:
        """Return the Crawl-delay in seconds, or 0 if there is none."""
        seconds = self.rules.crawl_delay(AGENT) if self.rules is not None else None
        return float(seconds) if seconds is not None else 0.0


def read_robots(status: int, body: bytes) -> Robots:
    """Return the rules in the response to a request for robots.txt.

    If the file is missing (4xx), all URLs are allowed. After any other status except success (2xx),
    no URL is allowed.
    """
    if 200 <= status < 300:
        return Robots(Protego.parse(body[:_LARGEST].decode("utf-8", "replace")), allow_all=True)
    return Robots(None, allow_all=400 <= status < 500)


TOKEN_ADDRESS = "https://www.reddit.com/api/v1/access_token"


class _Token(msgspec.Struct):
    access_token: str


def api_headers(settings: CrawlSettings) -> dict[str, str]:
    """Return the header User-Agent in the form that Reddit requires of API clients."""
    user = f"by /u/{settings.reddit_username}; " if settings.reddit_username else ""
    return {"User-Agent": f"python:benchloom:0.1 ({user}+{settings.contact})"}


def application_token(client: Client) -> str:
    """Request and return a bearer token for Reddit's API, with which data can only be read.

    Raises:
        SettingsError: the settings lack the id or the secret of a Reddit application.
        SiteRefusedError: Reddit returned no token.
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
