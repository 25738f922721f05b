"""Serve tasks to several clients over a protocol, and the tools of the tasks over MCP."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Unpack

from mcp import MCPError, types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.access import LOCAL, Access
from benchloom.worlds.servers.attempts import Attempt, Attempts
from benchloom.worlds.servers.http_server import MAX_BODY, serve_at
from benchloom.worlds.servers.mcp_server import Context, server_for
from benchloom.worlds.servers.protocols import TaskProtocol
from benchloom.worlds.servers.protocols.base import MCP_FOLDER, tasks_app
from benchloom.worlds.servers.rest import refused
from benchloom.worlds.servers.slots import CLOSED, Limits, Served
from benchloom.worlds.servers.web import BEHIND_ACCESS, guarded, lifespan_of
from benchloom.worlds.session import Outcome

_GONE = f"this attempt is closed: {CLOSED}"


def serve_tasks(
    store: TaskStore,
    protocol: TaskProtocol,
    ready: Callable[[int], None],
    *,
    port: int = 0,
    access: Access = LOCAL,
    **limits: Unpack[Limits],
) -> Served:
    """Serve tasks over a protocol until interrupted; `ready` receives the port.

    Port 0 selects a free port. `access` defines the listening address and the accepted clients.
    `limits` are the limits of the open attempts.
    """
    attempts = Attempts(store, **limits)
    application = partial(tasks_application, protocol, attempts, access)
    serve_at(port, application, ready, host=access.host)
    return attempts.served


def tasks_application(
    protocol: TaskProtocol,
    attempts: Attempts,
    access: Access,
    ready: Callable[[], None],
) -> Any:
    """Build the application of a protocol, with access control and the attempts' tools over MCP."""

    def attempt_of(context: Context) -> Attempt:
        attempt = (
            attempts.of_agent(_agent_key(context.request.url.path)) if context.request else None
        )
        if attempt is None:
            raise MCPError(code=types.INVALID_PARAMS, message=_GONE)
        return attempt

    def offered(context: Context) -> Offer:
        return attempt_of(context).offer

    def call(context: Context, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        return attempts.call(attempt_of(context), name, arguments)

    # The path identifies the attempt, so no MCP session is needed.
    manager = StreamableHTTPSessionManager(
        server_for("benchloom tasks", "Tools for one task.", offered, call),
        json_response=True,
        stateless=True,
        security_settings=BEHIND_ACCESS,
        max_request_body_size=MAX_BODY,
    )

    http_app = tasks_app(protocol, attempts, lifespan_of(manager, ready, attempts.close_all))

    async def both(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(MCP_FOLDER):
            await http_app(scope, receive, send)
            return
        attempt = attempts.of_agent(_agent_key(scope["path"]))
        if attempt is None:
            await refused(404, "unavailable", _GONE)(scope, receive, send)
        elif scope["method"] == "POST":
            with attempts.in_use(attempt.attempt_id):
                await manager.handle_request(scope, receive, send)
        else:
            await manager.handle_request(scope, receive, send)

    return guarded(both, access, idle=attempts.idle)


def _agent_key(path: str) -> str:
    return path.removeprefix(MCP_FOLDER)
