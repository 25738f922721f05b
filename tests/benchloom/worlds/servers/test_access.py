"""Check which hosts, origins and tokens a server accepts, and how long it waits for a body."""

import asyncio
from typing import Any

import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.servers import web
from benchloom.worlds.servers.access import LOCAL, Access, access_for

TOKEN = "a-token-that-nobody-knows"
PUBLIC = Access("0.0.0.0", TOKEN)  # noqa: S104  the address is only compared
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("access", "headers", "status"),
    [
        (LOCAL, {"host": "127.0.0.1:80"}, None),
        (LOCAL, {"host": "LOCALHOST:80"}, None),
        (LOCAL, {"host": "localhost."}, None),
        (LOCAL, {"host": "[::1]:80"}, None),
        (LOCAL, {}, 421),
        (LOCAL, {"host": ""}, 421),
        (LOCAL, {"host": "evil.test"}, 421),
        (LOCAL, {"host": "127.0.0.1.evil.test"}, 421),
        (LOCAL, {"host": "localhost@evil.test"}, 421),
        (LOCAL, {"host": "[::1"}, 421),
        (LOCAL, {"host": "192.168.0.7"}, 421),
        (LOCAL, {"host": "localhost, evil.test"}, 421),
        (LOCAL, {"host": "localhost", "origin": "http://localhost:3000"}, None),
        (LOCAL, {"host": "localhost", "origin": "http://evil.test"}, 403),
        (LOCAL, {"host": "localhost", "origin": "http://localhost.evil.test"}, 403),
        (LOCAL, {"host": "localhost", "origin": "null"}, 403),
        (LOCAL, {"host": "localhost", "origin": "file://localhost"}, 403),
        (LOCAL, {"host": "localhost", "origin": ""}, 403),
        (LOCAL, {"host": "localhost", "sec-fetch-site": "cross-site"}, 403),
        (LOCAL, {"host": "localhost", "sec-fetch-site": "same-origin"}, None),
        (PUBLIC, {"host": "10.1.2.3:80", **BEARER}, None),
        (PUBLIC, {"host": "10.1.2.3:80"}, 401),
        (PUBLIC, {"host": "10.1.2.3:80", "authorization": "Bearer wrong"}, 401),
        (PUBLIC, {"host": "10.1.2.3:80", "authorization": f"Basic {TOKEN}"}, 401),
        (PUBLIC, {"host": "evil.test", **BEARER}, 421),
        (PUBLIC, {"host": "10.1.2.3", "origin": "http://evil.test", **BEARER}, 403),
    ],
)
def test_access_refuses_foreign_hosts_origins_and_tokens(
    access: Access, headers: dict[str, str], status: int | None
) -> None:
    refusal = access.refusal(headers)
    assert (refusal and refusal[0]) == status


def test_token_is_required_beyond_the_local_machine() -> None:
    assert access_for("127.0.0.1", "") == LOCAL
    assert access_for("localhost", "").token == ""
    tokens = {access_for(host, "").token for host in ("0.0.0.0", "::", "10.0.0.1", "box.lan")}  # noqa: S104  the address is only compared
    assert len(tokens) == 4
    assert min(map(len, tokens)) >= 32
    assert access_for("127.0.0.1", TOKEN).token == TOKEN
    with pytest.raises(RunError, match="the token has 5 characters"):
        access_for("127.0.0.1", "short")


SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/",
    "query_string": b"",
    "headers": [(b"host", b"localhost:1"), (b"content-length", b"2")],
}


async def reading_application(scope: Any, receive: Any, send: Any) -> None:
    """Respond after reading the request body and waiting for the client to disconnect."""
    del scope
    message = await receive()
    while message.get("more_body"):
        message = await receive()
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def response_statuses(messages: list[tuple[float, dict[str, Any]]]) -> list[int]:
    """Return the response statuses for a client that sends each message after some seconds."""
    status_codes: list[int] = []

    async def receive() -> dict[str, Any]:
        wait, message = messages.pop(0)
        await asyncio.sleep(wait)
        return message

    async def send(message: Any) -> None:
        if "status" in message:
            status_codes.append(message["status"])

    asyncio.run(web.guarded(reading_application, LOCAL)(SCOPE, receive, send))
    return status_codes


def body_message(body: bytes, *, more: bool) -> dict[str, Any]:
    """Return a message with a part of a request body."""
    return {"type": "http.request", "body": body, "more_body": more}


def test_request_body_that_arrives_too_late_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "BODY_SECONDS", 0.05)
    disconnect = {"type": "http.disconnect"}
    assert response_statuses(
        [(0, body_message(b"{", more=True)), (5, body_message(b"}", more=False))]
    ) == [408]
    assert response_statuses([(0, body_message(b"{}", more=False)), (0.1, disconnect)]) == [200]
