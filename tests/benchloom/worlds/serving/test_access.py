"""Who is answered: names of this machine, no page of others, the token where it is asked."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.serving import web
from benchloom.worlds.serving.access import LOCAL, Access, access_for

TOKEN = "a-token-that-nobody-knows"
OPEN = Access("0.0.0.0", TOKEN)  # noqa: S104  an address that is compared
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
        (OPEN, {"host": "10.1.2.3:80", **BEARER}, None),
        (OPEN, {"host": "10.1.2.3:80"}, 401),
        (OPEN, {"host": "10.1.2.3:80", "authorization": "Bearer wrong"}, 401),
        (OPEN, {"host": "10.1.2.3:80", "authorization": f"Basic {TOKEN}"}, 401),
        (OPEN, {"host": "evil.test", **BEARER}, 421),
        (OPEN, {"host": "10.1.2.3", "origin": "http://evil.test", **BEARER}, 403),
    ],
)
def test_who_is_answered(access: Access, headers: dict[str, str], status: int | None) -> None:
    refusal = access.refusal(headers)
    assert (refusal and refusal[0]) == status


def test_others_get_a_token_and_this_machine_needs_none() -> None:
    assert access_for("127.0.0.1", "") == LOCAL
    assert access_for("localhost", "").token == ""
    tokens = {access_for(host, "").token for host in ("0.0.0.0", "::", "10.0.0.1", "box.lan")}  # noqa: S104  the address is only compared
    assert len(tokens) == 4
    assert min(map(len, tokens)) >= 32
    assert access_for("127.0.0.1", TOKEN).token == TOKEN
    with pytest.raises(RunError, match="the token has 5 characters"):
        access_for("127.0.0.1", "short")


def test_a_refused_request_does_not_reach_the_application() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError((scope, receive, send))

    sent: list[int] = []

    async def send(message: Any) -> None:
        if "status" in message:
            sent.append(message["status"])

    def requests() -> Iterator[dict[str, Any]]:
        for pairs in (
            [(b"host", b"evil.test")],
            [(b"host", b"localhost"), (b"origin", b"http://x")],
        ):
            yield {"type": "http", "method": "POST", "path": "/sessions", "headers": pairs}

    for scope in requests():
        asyncio.run(web.guarded(application, LOCAL)(scope, _nothing, send))
    assert sent == [421, 403]


async def _nothing() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}
