"""Serve a world to several clients, over MCP at /mcp and over plain HTTP at /sessions."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, Unpack

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware, TransportSecuritySettings

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.servers.access import LOCAL, Access, headers_of
from benchloom.worlds.servers.client_sessions import ClientSessions
from benchloom.worlds.servers.http_server import MAX_BODY, serve_at
from benchloom.worlds.servers.mcp_server import Context, refuse_without_session, server_of
from benchloom.worlds.servers.mcp_sessions import SESSION_HEADER, McpSessions
from benchloom.worlds.servers.rest import FULL, refused, rest_of
from benchloom.worlds.servers.slots import IDLE, Limits, Served
from benchloom.worlds.session import Outcome

MCP_PATH = "/mcp"
BODY_SECONDS = 30.0
"""The number of seconds within which the whole request must arrive."""
BEHIND_ACCESS = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Settings that switch off the MCP library's check of hosts; `guarded` checks all requests."""
_SESSION = "benchloom_session"
_POLICY = 1008
_AWAY = 1001
"""The codes with which a WebSocket is closed if access is refused, or if it was idle too long."""
_FULL = Outcome(refused="unavailable", message=FULL)


def serve_web(
    offer: Offer,
    ready: Callable[[int], None],
    *,
    port: int = 0,
    access: Access = LOCAL,
    **limits: Unpack[Limits],
) -> Served:
    """Serve a world until interrupted; `ready` receives the port once clients can connect.

    Port 0 selects a free port. `access` defines the listening address and the accepted clients.
    `limits` are the limits of the open sessions.

    Raises:
        RunError: the port is in use or cannot be opened.
    """
    sessions = ClientSessions(offer, **limits)
    serve_at(port, partial(_application, sessions, access), ready, host=access.host)
    return sessions.served


def _application(sessions: ClientSessions, access: Access, ready: Callable[[], None]) -> Any:
    most, idle = sessions.most, sessions.idle

    def call(context: Context, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        connection = context.session._connection  # noqa: SLF001  a client has no public state
        if _SESSION not in connection.state:
            headers = {} if context.request is None else context.request.headers
            session_id = sessions.open(headers.get(SESSION_HEADER, ""))
            if session_id is None:
                return _FULL
            connection.state[_SESSION] = session_id
            connection.exit_stack.callback(sessions.close, session_id)
        return sessions.call(connection.state[_SESSION], name, arguments)

    server = server_of(sessions.offer, call)
    server.middleware.append(refuse_without_session)
    manager = StreamableHTTPSessionManager(
        server,
        json_response=True,
        security_settings=BEHIND_ACCESS,
        session_idle_timeout=idle,
        max_request_body_size=MAX_BODY,
        max_sessions=2 * most,  # open sessions, and as many that are being opened
    )

    mcp_sessions = McpSessions(manager.handle_request, sessions.in_use, most=most, idle=idle)

    http_app = rest_of(sessions, lifespan_of(manager, ready, sessions.close_all))

    async def both(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == MCP_PATH:
            await mcp_sessions(scope, receive, send)
        else:
            await http_app(scope, receive, send)

    return guarded(both, access, idle=idle)


def lifespan_of(
    manager: StreamableHTTPSessionManager, ready: Callable[[], None], close: Callable[[], None]
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Return a lifespan of an application: run `manager`, call `ready`, and `close` at the end."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        async with manager.run():
            ready()
            yield
        close()

    return lifespan


def guarded(application: Any, access: Access, *, idle: float = IDLE) -> Any:
    """Wrap an application to check the access of requests, and to limit their size and duration.

    WebSockets are checked by the same rules; they close after `idle` seconds without a message.
    """
    limited = RequestBodyLimitMiddleware(application, MAX_BODY)

    async def in_time(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await limited(scope, receive, send)
            return
        refusal = access.refusal(headers_of(scope["headers"]))
        if scope["type"] == "websocket":
            if refusal is None:
                await limited(scope, _within(receive, send, idle), send)
            else:
                await send({"type": "websocket.close", "code": _POLICY, "reason": refusal[1]})
            return
        if refusal is not None:
            await refused(refusal[0], "permission", refusal[1])(scope, receive, send)
            return
        end = asyncio.get_running_loop().time() + BODY_SECONDS
        is_whole = False

        async def received() -> Any:
            nonlocal is_whole
            if is_whole:
                return await receive()
            async with asyncio.timeout_at(end):
                message = await receive()
            is_whole = not message.get("more_body")
            return message

        try:
            await limited(scope, received, send)
        except TimeoutError:
            await refused(408, "invalid_argument", "the body did not arrive in time")(
                scope, receive, send
            )

    return in_time


def _within(receive: Any, send: Any, idle: float) -> Any:
    async def received() -> Any:
        try:
            async with asyncio.timeout(idle):
                return await receive()
        except TimeoutError:
            await send({"type": "websocket.close", "code": _AWAY})
            return {"type": "websocket.disconnect", "code": _AWAY}

    return received
