"""Manage the sessions of clients; each has a separate state and a secret id."""

import secrets
from collections.abc import Mapping
from typing import Unpack

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.servers.slots import CLOSED, Limits, OpenSlots
from benchloom.worlds.session import Outcome, Session

_FORGOTTEN = Outcome()
_GONE = Outcome(refused="unavailable", message=f"this session is closed: {CLOSED}")


class ClientSessions(OpenSlots[Session]):
    """The open sessions of a server, at most `most`; a session closes after `idle` seconds.

    If all slots are taken, a new session replaces the session that has been idle longest. The class
    is not thread-safe, because a session belongs to the thread that opened it.
    """

    def __init__(self, offer: Offer, **limits: Unpack[Limits]) -> None:
        super().__init__(**limits)
        self.offer = offer

    def open(self, session_id: str = "") -> str | None:
        """Open a session; return its id (by default random), or None if all slots are in use."""
        session_id = session_id or secrets.token_hex(16)
        session = self._open(session_id, lambda: Session(self.offer.world))
        return None if session is None else session_id

    def call(self, session_id: str, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        """Call a tool by its short name in a session."""
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
