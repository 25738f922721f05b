"""Send requests whose bodies arrive slowly."""

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI


def status_of_slow_request(app: FastAPI, path: str, body: bytes, holds: Callable[[], bool]) -> int:
    """Return the status of a request; `holds` must be true while its body arrives."""
    statuses: list[int] = []

    async def receive() -> dict[str, Any]:
        assert holds()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    scope = {
        "type": "http", "method": "POST", "path": path, "query_string": b"", "headers": [],
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    (status,) = statuses
    return status
