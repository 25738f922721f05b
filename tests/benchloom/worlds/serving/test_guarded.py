"""Requests that come too slowly are ended; what is whole may wait as long as it likes."""

import asyncio
from typing import Any

import pytest

from benchloom.worlds.serving import web
from benchloom.worlds.serving.access import LOCAL

SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/",
    "query_string": b"",
    "headers": [(b"host", b"localhost:1"), (b"content-length", b"2")],
}


async def whole(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body, and then waits for the client to leave."""
    del scope
    message = await receive()
    while message.get("more_body"):
        message = await receive()
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def statuses(pieces: list[tuple[float, dict[str, Any]]]) -> list[int]:
    """The statuses that a client gets whose messages come after so many seconds each."""
    sent: list[int] = []

    async def receive() -> dict[str, Any]:
        wait, message = pieces.pop(0)
        await asyncio.sleep(wait)
        return message

    async def send(message: Any) -> None:
        if "status" in message:
            sent.append(message["status"])

    asyncio.run(web.guarded(whole, LOCAL)(SCOPE, receive, send))
    return sent


def piece(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_that_does_not_come_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "BODY_SECONDS", 0.05)
    gone = {"type": "http.disconnect"}
    assert statuses([(0, piece(b"{", more=True)), (5, piece(b"}", more=False))]) == [408]
    assert statuses([(0, piece(b"{}", more=False)), (0.1, gone)]) == [200]
