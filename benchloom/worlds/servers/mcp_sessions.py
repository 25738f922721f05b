"""Limit the number of MCP sessions over HTTP; a new session replaces the longest idle session."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from benchloom.worlds.servers.access import headers_of
from benchloom.worlds.servers.rest import FULL, refused
from benchloom.worlds.servers.slots import Slots

SESSION_HEADER = "mcp-session-id"
_FAULT = 400
Application = Callable[[Any, Any, Any], Awaitable[None]]


class McpSessions:
    """An ASGI application that serves at most `most` MCP sessions at a time.

    A new session replaces the session that has been idle longest. The MCP library itself would
    refuse the new session until old sessions expire. Therefore this class ends the old session by
    the request with which the client of this session would end it. While a session answers a
    request, neither the session nor its state (`in_use`) is dropped; an open stream without
    messages does not count as a request.
    """

    def __init__(
        self,
        application: Application,
        in_use: Callable[[str], AbstractContextManager[None]],
        *,
        most: int,
        idle: float,
    ) -> None:
        self._application = application
        self._in_use = in_use
        self._slots: Slots[None] = Slots(most=most, idle=idle)
        # Limits how many sessions open at a time; further clients wait.
        self._opening = asyncio.Semaphore(most)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, and record which session it opens, uses or ends."""
        session = headers_of(scope["headers"]).get(SESSION_HEADER, "")
        if session and scope["method"] == "POST":
            with self._slots.in_use(session), self._in_use(session):
                await self._application(scope, receive, send)
        elif scope["method"] == "POST":
            async with self._opening:
                await self._open(scope, receive, send)
        else:
            self._slots.find(session)
            await self._application(scope, receive, send)
            if scope["method"] == "DELETE":
                self._slots.remove(session)

    async def _open(self, scope: Any, receive: Any, send: Any) -> None:
        if not await self._make_room(scope, 1):
            await refused(503, "unavailable", FULL)(scope, receive, send)
            return

        async def sent(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] < _FAULT:
                session = headers_of(message["headers"]).get(SESSION_HEADER, "")
                if session:
                    self._slots.add(session, None)
            await send(message)

        await self._application(scope, receive, sent)
        await self._make_room(scope, 0)  # another client may have taken the slot meanwhile

    async def _make_room(self, scope: Any, coming: int) -> bool:
        leaving = self._slots.make_room(coming)
        for session in leaving or ():
            self._slots.remove(session)
            await self._end(scope, session)
        return leaving is not None

    async def _end(self, scope: Any, session: str) -> None:
        host = [pair for pair in scope["headers"] if pair[0] == b"host"]
        headers = [*host, (SESSION_HEADER.encode(), session.encode())]

        async def receive() -> Mapping[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def ignore(message: Mapping[str, Any]) -> None:
            del message

        await self._application({**scope, "method": "DELETE", "headers": headers}, receive, ignore)
