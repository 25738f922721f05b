"""The HTTP client of crawls, which sends one request at a time to a host, with delays in between.

The client limits times and sizes, repeats a request if a retry may help, and refuses unsafe or
impolite requests. It does not know about sites, robots.txt or archives, for which
`scrapers.crawl.fetching` is responsible.
"""

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Self

import httpx
import msgspec
import stamina

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Header
from benchloom.storage.web_archive import decode_body
from scrapers.errors import FetchError, TransientError
from scrapers.http.answers import Response, usable_response
from scrapers.http.transports import LiveTransport, ReplicaTransport, SingleConnectionTransport
from scrapers.settings import CrawlSettings


class Pacer:
    """A clock that keeps at least `delay` seconds between requests to one host.

    The delay is counted from the moment when the previous response began to arrive, not from the
    moment when its request was sent. So the server sees the full delay, however long a request
    travels. The delay and a random share of it, up to `jitter`, must also have passed since the
    previous request was sent. So the random share does not lengthen the wait on a slow network.
    """

    def __init__(
        self,
        delay: float,
        jitter: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.delay = delay
        self._jitter = jitter
        self._clock = clock
        self._sleep = sleep
        self._next = self._sent = clock()
        # Spreads load; nothing secret depends on it.
        self._random = random.Random()  # noqa: S311  jitter is not a secret

    def wait(self) -> None:
        """Sleep until the next request may be sent."""
        while (left := self._next - self._clock()) > 0:
            self._sleep(left)
        self._sent = self._clock()

    def mark(self, extra: float = 0.0) -> None:
        """Record that the server has just responded; the next wait is at least `extra` seconds."""
        spread = self.delay * self._jitter * self._random.random()
        now = self._clock()
        self._next = max(now + self.delay, self._sent + self.delay + spread, now + extra)


WHOLE_REQUEST = 4
"""The maximum time for a whole request, as a multiple of the settings' `timeout` for each wait."""
_NOT_STORED = frozenset({"transfer-encoding", "connection", "keep-alive", "set-cookie"})


# The crawl's report lists retries; stamina would also print a line for each.
logging.getLogger("stamina").addHandler(logging.NullHandler())


class _Ask(msgspec.Struct, frozen=True):
    method: str
    url: str
    headers: dict[str, str]
    form: dict[str, str] | None
    limit: int
    refusal_stops: bool


def utc_now() -> str:
    """Return the time in UTC as ISO 8601 with microseconds, as the field WARC-Date requires."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class _Host:
    def __init__(self, settings: CrawlSettings) -> None:
        self.lock = threading.Lock()
        self.pacer = Pacer(settings.delay, settings.jitter)
        transport: SingleConnectionTransport = (
            ReplicaTransport(settings.replica_address()) if settings.replica else LiveTransport()
        )
        self.deadline = transport.deadline
        self.http = httpx.Client(
            transport=transport,
            timeout=settings.timeout,
            headers={"User-Agent": settings.user_agent, "Accept-Encoding": "gzip, deflate"},
            follow_redirects=False,
        )


class Client:
    """An HTTP client for polite requests, which several threads may share."""

    def __init__(self, settings: CrawlSettings, now: Callable[[], str] = utc_now) -> None:
        settings.check()
        self.settings = settings
        self.now = now
        self._hosts: dict[str, _Host] = {}
        self._guard = threading.Lock()

    def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        refusal_stops: bool = True,
        limit: int | None = None,
    ) -> Response:
        """Send a GET request, and return the response if its status is below 500 and not 429.

        `limit` is the maximum size of the response in bytes, by default `settings.page_bytes`.

        Raises:
            FetchError: there was no usable response after `settings.retries` retries.
            SiteRefusedError: the status is 401 or 403 or the response a challenge page (unless
                `refusal_stops` is off), or the site requires a wait of more than
                `settings.longest_wait` seconds.
        """
        bound = limit or self.settings.page_bytes
        return self._send(_Ask("GET", url, dict(headers or {}), None, bound, refusal_stops))

    def post_form(self, url: str, form: Mapping[str, str], headers: Mapping[str, str]) -> Response:
        """Send a form with POST, as a site may require for an access token.

        The response is never stored, because it may contain a secret.
        """
        bound = self.settings.page_bytes
        return self._send(_Ask("POST", url, dict(headers), dict(form), bound, refusal_stops=True))

    def slow_down(self, url: str, delay: float) -> None:
        """Set the minimum seconds between requests to the host of `url`, but never lower them."""
        pacer = self._host(url).pacer
        if delay > pacer.delay:
            pacer.delay = delay
            pacer.mark()  # the delay starts at the request that announced it

    def hold(self, url: str, seconds: float = 0.0) -> None:
        """Delay the next request to a URL's host by `seconds`, or by the usual delay if longer."""
        self._host(url).pacer.mark(seconds)

    def take_turn(self, url: str, action: Callable[[], None]) -> None:
        """Run an action that contacts the host of `url`, when a request to the host may be sent."""
        host = self._host(url)
        with host.lock:
            host.pacer.wait()
            try:
                action()
            finally:
                host.pacer.mark()

    def _host(self, url: str) -> _Host:
        name = httpx.URL(url).netloc.decode()
        with self._guard:
            if name not in self._hosts:
                self._hosts[name] = _Host(self.settings)
            return self._hosts[name]

    def _send(self, ask: _Ask) -> Response:
        host = self._checked_host(ask.url)
        with host.lock:
            for attempt in stamina.retry_context(
                on=self._wait_before_retry,
                attempts=self.settings.retries + 1,
                timeout=None,
                wait_initial=self.settings.back_off,
                wait_max=60.0,
                wait_jitter=self.settings.back_off,
            ):
                with attempt:
                    host.pacer.wait()
                    return usable_response(
                        self._once(host, ask),
                        self.settings.longest_wait,
                        refusal_stops=ask.refusal_stops,
                    )
        raise FetchError(ask.url, "connection", "no answer")  # the loop above returns or raises

    def _checked_host(self, url: str) -> _Host:
        try:
            parts = httpx.URL(url)
        except (httpx.InvalidURL, ValueError) as error:
            raise FetchError(url[:200], "bad_url", str(error)) from error
        if parts.scheme not in {"http", "https"} or not parts.host or parts.userinfo:
            raise FetchError(
                url[:200], "bad_url", "expected an http or https URL with a host and no user name"
            )
        return self._host(url)

    def _wait_before_retry(self, fault: Exception) -> bool | float:
        if not isinstance(fault, TransientError):
            return False
        if fault.retry_after is None:
            return True
        if fault.retry_after > self.settings.longest_wait:
            return False
        return fault.retry_after

    def _once(self, host: _Host, ask: _Ask) -> Response:
        url, bound = ask.url, ask.limit
        host.deadline.start(WHOLE_REQUEST * self.settings.timeout)
        try:
            with host.http.stream(ask.method, url, headers=ask.headers, data=ask.form) as answer:
                host.pacer.mark()
                raw = self._read(answer, url, bound)
        except httpx.TimeoutException as error:
            host.pacer.mark()
            if host.deadline.is_over:
                raise FetchError(
                    url, "timeout", "the request took longer than its time limit"
                ) from error
            raise TransientError(url, "timeout", type(error).__name__) from error
        except httpx.RemoteProtocolError as error:
            host.pacer.mark()
            raise TransientError(url, "truncated", str(error)) from error
        except httpx.TransportError as error:
            host.pacer.mark()
            raise TransientError(url, "connection", str(error) or type(error).__name__) from error
        stored_headers = tuple(
            Header(name, value)
            for name, value in answer.headers.multi_items()
            if name.lower() not in _NOT_STORED
        )
        try:
            body = decode_body(raw, answer.headers.get("content-encoding"), bound)
        except RejectedInputError as error:
            kind = TransientError if error.reason == "truncated" else FetchError
            raise kind(url, error.reason, error.message) from error
        return Response(
            url, answer.status_code, answer.reason_phrase, stored_headers, raw, body, self.now()
        )

    def _read(self, answer: httpx.Response, url: str, bound: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        for piece in answer.iter_raw():
            size += len(piece)
            if size > bound:
                raise FetchError(url, "too_large", f"the response is larger than {bound} bytes")
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Close the connections to all hosts."""
        for host in self._hosts.values():
            host.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
