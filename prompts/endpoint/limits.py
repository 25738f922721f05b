"""Define the address of an endpoint, the limits on its use, and their defaults."""

import os
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import extra
from prompts.errors import EndpointError

if TYPE_CHECKING:
    import openai

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4o-mini"
POLL_SECONDS = 30.0
"""Seconds between two queries for the state of a batch."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits on the use of an endpoint.

    `tries` is the maximum number of failed attempts of one request; attempts that are answered with
    status 429 are limited by `patience` instead. `backoff` is the first delay in seconds; it
    doubles with each failure up to `most_backoff`. `timeout` is the maximum time for a whole reply
    in seconds. The run ends after `gives_up_after` failed rows in a row, or after as many
    unreadable new replies in a row.
    """

    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    tries: int = 6
    patience: int = 60
    backoff: float = 0.5
    most_backoff: float = 30.0
    timeout: float = 120.0
    gives_up_after: int = 20


DEFAULTS = Limits()


def named_address(base_url: str | None) -> str | None:
    """Return the address from the option or the environment, or None if neither has one."""
    return base_url or os.environ.get("OPENAI_BASE_URL") or None


def base_url_of(base_url: str | None) -> str:
    """Return the address as the openai client writes it, with a slash at the end."""
    url = named_address(base_url) or DEFAULT_BASE_URL
    return url if url.endswith("/") else f"{url}/"


def can_ask(base_url: str | None, *, local: bool = False) -> bool:
    """Whether a model is configured: a local one, the address of an endpoint, or a key."""
    return local or named_address(base_url) is not None or bool(os.environ.get("OPENAI_API_KEY"))


def open_endpoint(
    base_url: str | None, timeout: float, *, keyless: bool = False
) -> "openai.AsyncOpenAI":
    """Open the openai client for a base URL, with the key in OPENAI_API_KEY unless `keyless`.

    Raises:
        EndpointError: OPENAI_API_KEY is not set, and the address is OpenAI's, which needs a key.
        RunError: the extra `llm` is not installed.
    """
    with extra("llm", "language models"):
        import openai
    key = None if keyless else os.environ.get("OPENAI_API_KEY")
    url = named_address(base_url) or DEFAULT_BASE_URL
    if not key and url.startswith(DEFAULT_BASE_URL):
        raise EndpointError(
            "OPENAI_API_KEY is not set; set it, or pass the --base-url of an endpoint without keys"
        )
    # Retries are counted, logged and paid for here; a second layer below would hide them.
    return openai.AsyncOpenAI(api_key=key or "none", base_url=url, max_retries=0, timeout=timeout)
