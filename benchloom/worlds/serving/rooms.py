"""The sessions of clients: each has a separate state and a secret id."""

import secrets
import time
from collections.abc import Callable, Mapping

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.serving.slots import OpenSlots
from benchloom.worlds.session import Outcome, Session

MOST = 200
"""The default for the maximum number of open sessions."""
IDLE = 1800.0
"""The default for the seconds without a call after which a session is closed."""
_FORGOTTEN = Outcome()
CLOSED = "it ended, was idle for too long, or was replaced by a new client (see --clients)"
_GONE = Outcome(refused="unavailable", message=f"this session is closed: {CLOSED}")


class Served(msgspec.Struct):
    """Totals of a server run: sessions opened and calls made."""

    sessions: int = 0
    calls: int = 0


class Rooms(OpenSlots[Session]):
    """The open sessions of a server, at most `most`; a session closes after `idle` seconds.

    If all are in use, a new session replaces the session that is idle longest; see `Slots`. Not
    thread-safe: a session belongs to the thread that opened it.
    """

    def __init__(
        self,
        offer: Offer,
        *,
        most: int = MOST,
        idle: float = IDLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(most=most, idle=idle, clock=clock)
        self.offer = offer
        self.served = Served()

    def open(self, session_id: str = "") -> str | None:
        """Open a session; return its id (by default random), or None if all slots are in use."""
        if not self._has_room():
            return None
        session_id = session_id or secrets.token_hex(16)
        self.add(session_id, Session(self.offer.world))
        self.served.sessions += 1
        return session_id

    def digest(self, session_id: str) -> str | None:
        """Return the digest of a session's state; None if the session is not open."""
        session = self.find(session_id)
        return None if session is None else session.digest()

    def has(self, session_id: str) -> bool:
        """Whether a session is open."""
        return self.find(session_id) is not None

    def call(self, session_id: str, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        """Call a tool by its short name."""
        session = self.find(session_id)
        if session is None:
            return _GONE
        self.served.calls += 1
        tool = self.offer.tools.get(name)
        if tool is None:
            return Outcome(refused="unknown_tool", message=f"unknown tool {name[:200]!r}")
        outcome = session.call(tool.tool, arguments)
        session.log[-1] = _FORGOTTEN  # only counts are needed; the results would fill the memory
        return outcome
