"""Sessions of the protocol over HTTP: a new one takes the place of one that nobody uses."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from benchloom.worlds.serving.access import headers_of
from benchloom.worlds.serving.rest import FULL, refused
from benchloom.worlds.serving.slots import Slots

SESSION_HEADER = "mcp-session-id"
_FAULT = 400
Application = Callable[[Any, Any, Any], Awaitable[None]]


class McpSessions:
    """An application that ends the session that is in the way before one over `most` is opened.

    The library refuses new sessions until old ones were idle for long; a session is ended here as
    its client would end it, by a request.
    """

    def __init__(self, application: Application, *, most: int, idle: float) -> None:
        self._application = application
        self._slots: Slots[None] = Slots(most=most, idle=idle)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        session = headers_of(scope["headers"]).get(SESSION_HEADER, "")
        if session:
            self._slots.find(session)
        elif scope["method"] == "POST" and not await self._make_room(scope):
            await refused(503, "unavailable", FULL)(scope, receive, send)
            return

        async def sent(message: Mapping[str, Any]) -> None:
            starts = message["type"] == "http.response.start" and message["status"] < _FAULT
            if starts and not session:
                opened = headers_of(message["headers"]).get(SESSION_HEADER, "")
                if opened:
                    self._slots.add(opened, None)
            await send(message)

        await self._application(scope, receive, sent)
        if scope["method"] == "DELETE":
            self._slots.remove(session)

    async def _make_room(self, scope: Any) -> bool:
        leaving = self._slots.make_room()
        for session in leaving or ():
            self._slots.remove(session)
            await self._end(scope, session)
        return leaving is not None

    async def _end(self, scope: Any, session: str) -> None:
        """Send the request by which a client ends its session."""
        host = [pair for pair in scope["headers"] if pair[0] == b"host"]
        headers = [*host, (SESSION_HEADER.encode(), session.encode())]

        async def receive() -> Mapping[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def ignore(message: Mapping[str, Any]) -> None:
            del message

        await self._application({**scope, "method": "DELETE", "headers": headers}, receive, ignore)
