"""Serve a world to a client over standard input and output, which carry only MCP messages."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from mcp.server.stdio import stdio_server

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.servers.client_sessions import ClientSessions
from benchloom.worlds.servers.mcp_server import Context, server_of
from benchloom.worlds.servers.quiet import quiet
from benchloom.worlds.servers.slots import Served
from benchloom.worlds.session import Outcome

if TYPE_CHECKING:
    import anyio

MAX_LINE = 4 * 1024 * 1024
"""The maximum size of a message in bytes; a longer line is treated as an invalid message."""
_TOO_LONG = '"too long"'
"""The text that replaces a line that is too long; it is JSON, but not a message of MCP."""


def serve_stdio(offer: Offer) -> Served:
    """Serve a world until the client disconnects or the server is interrupted."""
    sessions = ClientSessions(offer, most=1, idle=float("inf"))
    with quiet(), suppress(KeyboardInterrupt):
        asyncio.run(_serve(sessions))
    return sessions.served


async def _serve(sessions: ClientSessions) -> None:
    session_id = sessions.open() or ""

    def call(context: Context, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        del context  # each process has a single client
        return sessions.call(session_id, name, arguments)

    server = server_of(sessions.offer, call)
    try:
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", _Lines())) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    except* BrokenPipeError:
        pass  # the client is gone, so no message can reach it
    finally:
        sessions.close_all()


class _Lines:
    """The lines of standard input, which a thread reads without delaying the server's exit."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=8)
        self._loop = asyncio.get_running_loop()

    async def __aiter__(self) -> AsyncIterator[str]:
        threading.Thread(target=self._read, daemon=True).start()
        while (line := await self._queue.get()) is not None:
            yield line

    def _read(self) -> None:
        pending = b""
        dropping = False
        while piece := os.read(0, 1 << 16):
            *lines, incomplete_line = piece.split(b"\n")
            for line in lines:
                self._put(_TOO_LONG if dropping else (pending + line).decode(errors="replace"))
                pending, dropping = b"", False
            pending = b"" if dropping else pending + incomplete_line
            if len(pending) > MAX_LINE:
                pending, dropping = b"", True
        if pending:
            self._put(pending.decode(errors="replace"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(self._queue.put(line), self._loop).result()
