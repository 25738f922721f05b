"""The exceptions that fetching raises; each stops a page, a request, a site or a whole run.

RejectedInputError (benchloom.core.errors)
├── PageRefusedError      a page cannot be parsed in bounded time; its capture is kept
└── FetchError            a request got no usable response; the crawl continues
    └── TransientError    a fault is temporary; the client repeats the request at most twice
StoppedError (benchloom.core.errors)
└── SiteRefusedError      the site refused; this run sends no more requests to it
RunError (benchloom.core.errors)
├── SettingsError         the crawl may not start because of contact, credentials or addresses
├── ReplayMissError       a replay needs a page that was never captured
└── MirrorError           an input at a URL cannot be copied to this machine
"""

from benchloom.core.errors import RejectedInputError, RunError, StoppedError


class PageRefusedError(RejectedInputError):
    """The markup of a page cannot be parsed in bounded time and memory (reason `too_complex`)."""

    def __init__(self, message: str) -> None:
        super().__init__("too_complex", message)


class FetchError(RejectedInputError):
    """A request gave no usable response.

    `reason` is a word such as `timeout` or `too_large`; `scrapers.explanations` explains each word.
    """

    def __init__(self, url: str, reason: str, message: str) -> None:
        super().__init__(reason, f"{url}: {message}")
        self.url = url


class TransientError(FetchError):
    """A request failed because of a temporary fault, so it may be repeated.

    `retry_after` is the wait in seconds that the server requested, or None.
    """

    def __init__(
        self, url: str, reason: str, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(url, reason, message)
        self.retry_after = retry_after


class SiteRefusedError(StoppedError):
    """The site refuses requests, with status 401 or 403, a challenge page, or a long wait."""

    def __init__(self, url: str, message: str) -> None:
        super().__init__(f"{url}: {message}; no more requests are sent to this site")
        self.url = url


class SettingsError(RunError):
    """The crawl settings do not allow a crawl; the message names the setting to change."""


class ReplayMissError(RunError):
    """A crawl that is answered from captures needs a page that was never captured."""


class MirrorError(RunError):
    """An input cannot be copied from its URL; the message contains the URL without secrets."""
