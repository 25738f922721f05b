"""What an operator decides about crawling; `flows.configuration` reads it from a file."""

import ipaddress

import msgspec

from scrapers.errors import SettingsError

LEAST_LIVE_DELAY = 1.0


class CrawlSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Politeness, identity and limits. Times in seconds, sizes in bytes.

    `contact` is a URL or mail address that sites can write to; live crawls do not start without
    it. `replica` is `host:port` of a replica server on this machine: set, every request goes
    there and nowhere else. `delay` is the least time between two requests to a host, `jitter`
    the largest part of it that is added at random. `browser_sites` are rendered in the browser
    although their adapter does not ask for it. `opt_out` holds listing addresses, iCloud
    links and shortcut ids whose owners do not want them published.
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

    @property
    def user_agent(self) -> str:
        """An honest name with a way to complain."""
        return f"benchloom/0.1 (+{self.contact})"

    def check(self) -> None:
        """Refuse settings that would be impolite or unsafe.

        Raises:
            SettingsError: no contact, a delay below one second against live sites, more than
                two retries, or a replica that is not on this machine.
        """
        if not self.contact or not ("@" in self.contact or "://" in self.contact):
            raise SettingsError(
                "a crawl needs a contact: set BENCHLOOM_CONTACT to a URL or mail address"
            )
        if any(ord(character) < 0x20 or ord(character) > 0x7E for character in self.contact):
            raise SettingsError("the contact must be plain ASCII; it is sent in a header")
        if not 0 <= self.retries <= 2:
            raise SettingsError("retries must be 0, 1 or 2")
        if self.replica is None and self.delay < LEAST_LIVE_DELAY:
            raise SettingsError(f"delay must be at least {LEAST_LIVE_DELAY} s against live sites")
        if self.delay < 0 or self.jitter < 0:
            raise SettingsError("delay and jitter must not be negative")
        if self.replica is not None:
            self.replica_address()

    def replica_address(self) -> tuple[str, int]:
        """Host and port of the replica server.

        Raises:
            SettingsError: not a loopback address with a port.
        """
        host, _, port = (self.replica or "").rpartition(":")
        try:
            loopback = ipaddress.ip_address(host.strip("[]")).is_loopback
        except ValueError:
            loopback = False
        if not loopback or not port.isdigit():
            raise SettingsError("the replica must be a loopback address like 127.0.0.1:8000")
        return host.strip("[]"), int(port)
