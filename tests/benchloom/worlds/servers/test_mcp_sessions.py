"""Check that MCP sessions accept a burst of clients and stay open while they answer."""

import asyncio
from contextlib import nullcontext
from typing import Any

from benchloom.worlds.servers.mcp_sessions import SESSION_HEADER, McpSessions

LIMIT = 3


class FakeLibrary:
    """A fake MCP library that refuses sessions beyond twice the limit and ends them by DELETE."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.count = 0
        self.answering = asyncio.Event()
        self.finish = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        session = dict(scope["headers"]).get(SESSION_HEADER.encode(), b"").decode()
        status = 200 if session in self.open else 404
        if not session:
            status = 503 if len(self.open) >= 2 * LIMIT else 200
            if status == 200:
                session = str(self.count)
                self.open.append(session)
                self.count += 1
            await asyncio.sleep(0)
        elif scope["method"] == "DELETE" and status == 200:
            self.open.remove(session)
        elif scope["path"] == "/slow":
            self.answering.set()
            await self.finish.wait()
        headers = [(SESSION_HEADER.encode(), session.encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})


async def status_of(
    sessions: McpSessions, session: str = "", *, method: str = "POST", path: str = "/"
) -> int:
    """Return the status of the response to a request."""
    headers = [(SESSION_HEADER.encode(), session.encode())] if session else []
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    statuses = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if "status" in message:
            statuses.append(message["status"])

    await sessions(scope, receive, send)
    (status,) = statuses
    return int(status)


def test_burst_of_clients_replaces_the_longest_idle_sessions() -> None:
    async def burst() -> None:
        library = FakeLibrary()
        sessions = McpSessions(library, lambda _: nullcontext(), most=LIMIT, idle=60)
        statuses = await asyncio.gather(*(status_of(sessions) for _ in range(10 * LIMIT)))
        assert set(statuses) == {200}
        assert library.open == ["27", "28", "29"]
        assert await status_of(sessions, "27") == 200
        assert await status_of(sessions) == 200
        assert library.open == ["27", "29", "30"]

    asyncio.run(burst())


def test_session_that_answers_a_request_stays_open() -> None:
    async def busy() -> None:
        library = FakeLibrary()
        sessions = McpSessions(library, lambda _: nullcontext(), most=1, idle=60)
        assert await status_of(sessions) == 200
        slow = asyncio.create_task(status_of(sessions, "0", path="/slow"))
        await library.answering.wait()
        assert await status_of(sessions) == 503
        library.finish.set()
        assert await slow == 200
        assert await status_of(sessions) == 200
        assert library.open == ["1"]

    asyncio.run(busy())


def test_listening_stream_does_not_keep_a_session_open() -> None:
    async def listening() -> None:
        library = FakeLibrary()
        sessions = McpSessions(library, lambda _: nullcontext(), most=1, idle=60)
        assert await status_of(sessions) == 200
        stream = asyncio.create_task(status_of(sessions, "0", method="GET", path="/slow"))
        await library.answering.wait()
        assert await status_of(sessions) == 200
        assert library.open == ["1"]
        library.finish.set()
        await stream

    asyncio.run(listening())
