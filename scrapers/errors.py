"""Faults of fetching, named by what they stop: a page, a request, a site or a run.

RejectedInputError (benchloom.core.errors)
├── PageRefusedError      a page that cannot be read in bounded time; its capture stays
└── FetchError            one request got no usable response; the crawl continues
    └── TransientError    a temporary fault; the client repeats the request at most twice
StoppedError (benchloom.core.errors)
└── SiteRefusedError      the site refused; this run sends no more requests to it
RunError (benchloom.core.errors)
├── SettingsError         the crawl may not start: contact, credentials, addresses
├── ReplayMissError       a replay needs a page that was never captured
└── MirrorError           an input behind a URL that cannot be copied here
"""

from benchloom.core.errors import RejectedInputError, RunError, StoppedError


class PageRefusedError(RejectedInputError):
    """A page whose markup cannot be parsed in bounded time and memory (reason too_complex)."""

    def __init__(self, message: str) -> None:
        super().__init__("too_complex", message)


class FetchError(RejectedInputError):
    """One request gave no usable response.

    `reason` is a stable snake_case word: disallowed, timeout, connection, too_large, truncated,
    server_error, too_many_requests, address_refused, bad_redirect, bad_encoding.
    """

    def __init__(self, url: str, reason: str, message: str) -> None:
        super().__init__(reason, f"{url}: {message}")
        self.url = url


class TransientError(FetchError):
    """A temporary fault. `retry_after` is the wait in seconds that the server requested."""

    def __init__(
        self, url: str, reason: str, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(url, reason, message)
        self.retry_after = retry_after


class SiteRefusedError(StoppedError):
    """A 403, a challenge page or a wait beyond the limit: the site refuses our requests."""

    def __init__(self, url: str, message: str) -> None:
        super().__init__(f"{url}: {message}; no more requests are sent to this site")
        self.url = url


class SettingsError(RunError):
    """Crawl settings that do not allow a crawl; the message names the setting to change."""


class ReplayMissError(RunError):
    """A replay needs a page that was never captured."""


class MirrorError(RunError):
    """An input URL that cannot be copied here; the message names it, without secrets."""
