"""The operator's settings for crawls, which `flows.configuration` reads from a file."""

import ipaddress
import re
from collections.abc import Iterator

import msgspec

from benchloom.normalise.opt_outs import opt_out_fault
from scrapers.errors import SettingsError

LEAST_LIVE_DELAY = 1.0
NO_CONTACT = (
    "a crawl needs a contact, a URL or mail address that sites can write to: set `contact` under "
    "[crawl], or BENCHLOOM_CONTACT"
)
_CONTACT = re.compile(r"https?://[^\s/]+\S*|(?:mailto:)?[^\s@/]+@[^\s@/]+")


class CrawlSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The delays, the identity and the limits of a crawl; times are in seconds, sizes in bytes.

    `contact` is a URL or mail address at which sites can reach the operator; a crawl does not start
    without it. `replica` is `host:port` of a replica server on this machine; if it is set, every
    request goes to this server and nowhere else. `delay` is the minimum time between two requests
    to a host, and `jitter` the maximum random share that is added to it. `timeout` limits each wait
    for bytes, and four times `timeout` limits a whole request. `browser_sites` are rendered in the
    browser although their adapters do not require it. `opt_out` contains addresses of listings,
    iCloud links and ids of shortcuts that must not be published.

    Raises:
        SettingsError: an opt-out has a form that can match nothing.
    """

    contact: str | None = None
    replica: str | None = None
    delay: float = LEAST_LIVE_DELAY
    jitter: float = 0.05
    retries: int = 2
    back_off: float = 2.0
    longest_wait: float = 300.0
    timeout: float = 30.0
    page_bytes: int = 16 * 1024 * 1024
    scrub_personal_ids: bool = True
    include_member_only: bool = False
    browser_sites: tuple[str, ...] = ()
    opt_out: tuple[str, ...] = ()
    resume_hours: float = 24.0
    reddit_client_id: str | None = None
    reddit_client_secret: str | None = None
    reddit_username: str | None = None

    def __post_init__(self) -> None:
        for entry in self.opt_out:
            if fault := opt_out_fault(entry):
                raise SettingsError(f"opt_out: {fault}")

    @property
    def user_agent(self) -> str:
        """The header User-Agent, which names benchloom and the operator's contact."""
        return f"benchloom/0.1 (+{self.contact})"

    def check(self) -> None:
        """Raise SettingsError if a crawl with these settings would be impolite or unsafe."""
        for fault in self.faults():
            raise SettingsError(fault)
        if self.replica is not None:
            self.replica_address()

    def faults(self) -> Iterator[str]:
        """Yield a message for each setting with which a crawl would be impolite."""
        if not self.contact:
            yield NO_CONTACT
        elif fault := contact_fault(self.contact):
            yield f"contact: {fault}"
        if not 0 <= self.retries <= 2:
            yield "retries must be 0, 1 or 2"
        if self.replica is None and self.delay < LEAST_LIVE_DELAY:
            yield f"delay must be at least {LEAST_LIVE_DELAY} s for crawls of live sites"
        if self.delay < 0 or self.jitter < 0:
            yield "delay and jitter must not be negative"

    def replica_address(self) -> tuple[str, int]:
        """Return the host and the port of the replica server.

        Raises:
            SettingsError: the address is not on loopback, or has no port.
        """
        host, _, port = (self.replica or "").rpartition(":")
        try:
            loopback = ipaddress.ip_address(host.strip("[]")).is_loopback
        except ValueError:
            loopback = False
        if not loopback or not port.isdigit():
            raise SettingsError("the replica must be a loopback address such as 127.0.0.1:8000")
        return host.strip("[]"), int(port)


def contact_fault(text: str) -> str | None:
    """Return why a text is not a URL or mail address for the contact, or None if it is."""
    if not text.isascii() or not text.isprintable():
        return "must be plain ASCII, because the contact is sent in a header"
    if _CONTACT.fullmatch(text) is None:
        return (
            f"'{text}' is not a contact: write a URL (https://...) or a mail address (name@host) "
            f"at which sites can reach you"
        )
    return None
