"""Gets a token for Reddit's API with credentials from the environment; never stored."""

import base64

import msgspec

from scrapers.errors import SettingsError, SiteRefusedError
from scrapers.http.client import Client
from scrapers.settings import CrawlSettings

TOKEN_ADDRESS = "https://www.reddit.com/api/v1/access_token"


class _Token(msgspec.Struct):
    access_token: str


def api_headers(settings: CrawlSettings) -> dict[str, str]:
    """Return the User-Agent header in the form that Reddit requires of API clients."""
    user = f"by /u/{settings.reddit_username}; " if settings.reddit_username else ""
    return {"User-Agent": f"python:benchloom:0.1 ({user}+{settings.contact})"}


def application_token(client: Client) -> str:
    """Return a bearer token for read-only use."""
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
            TOKEN_ADDRESS, f"the site gave no token (HTTP {answer.status})"
        ) from None
