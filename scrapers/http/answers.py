"""This module has the type of an HTTP response, and decides what its status means for a crawl."""

import email.utils
import re
from datetime import UTC, datetime

import msgspec

from benchloom.core.records import Header, header_value
from scrapers.errors import SiteRefusedError, TransientError

_SECONDS = re.compile(r"[0-9]{1,300}")
_CHALLENGE_MARKS = (b"cf-challenge", b"/cdn-cgi/challenge-platform/", b"captcha-delivery.com")


class Response(msgspec.Struct, frozen=True):
    """An HTTP response.

    `raw` is the body as received, `body` the body after decoding. `fetched_at` is the time of the
    response in UTC, as ISO 8601.
    """

    url: str
    status: int
    reason: str
    headers: tuple[Header, ...]
    raw: bytes
    body: bytes
    fetched_at: str

    def header(self, name: str) -> str | None:
        """Return the value of the first header called `name`, ignoring letter case."""
        return header_value(self.headers, name)


def usable_response(response: Response, longest_wait: float, *, refusal_stops: bool) -> Response:
    """Return the response, or raise an error if its status means that it cannot be used.

    Raises:
        TransientError: the status is 429, or 500 or more.
        SiteRefusedError: the server requires a wait of more than `longest_wait` seconds, or its
            response is a challenge page, or the status is 401 or 403. With `refusal_stops` off, a
            response with status 401 or 403 is returned.
    """
    status, url = response.status, response.url
    if status == 429 or status >= 500:
        if _is_challenge(response):
            raise SiteRefusedError(url, "a challenge page")
        wait = retry_after(response.header("Retry-After"))
        if wait is not None and wait > longest_wait:
            raise SiteRefusedError(
                url,
                f"HTTP {status}: the site requires a wait of {wait:g} s; the limit is "
                f"{longest_wait:.0f} s",
            )
        reason = "too_many_requests" if status == 429 else "server_error"
        raise TransientError(url, reason, f"HTTP {status}", wait)
    if refusal_stops and (status in {401, 403} or _is_challenge(response)):
        fault = "a challenge page" if _is_challenge(response) else f"HTTP {status}"
        raise SiteRefusedError(url, fault)
    return response


def retry_after(value: str | None) -> float | None:
    """Return the seconds to wait that a header Retry-After requires, or None if unreadable.

    The header contains a number of seconds or a date.
    """
    if not value:
        return None
    if _SECONDS.fullmatch(value.strip()):
        return float(value.strip())
    try:
        moment = email.utils.parsedate_to_datetime(value[:64])
    except (ValueError, TypeError, OverflowError, IndexError):
        return None  # errors of the library for invalid dates
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _is_challenge(response: Response) -> bool:
    if response.header("cf-mitigated") == "challenge":
        return True
    if response.status == 200 and len(response.body) > 64 * 1024:
        return False
    start = response.body[: 64 * 1024]
    return response.status in {403, 429, 503} and any(mark in start for mark in _CHALLENGE_MARKS)
