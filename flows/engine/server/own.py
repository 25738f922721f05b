"""This program is a Prefect server that starts quickly, for a single run or schedule.

    python -P -m flows.engine.server.own PORT

The server keeps its state in memory, unless the user has configured a database. So a locked
database, a full disk or a missing home cannot stop a run. The program serves Prefect's whole
application, but starts faster than Prefect's own command: it collects no garbage during imports,
creates tables without migrations, and puts the routes that runs request before all others, because
FastAPI builds a route when it first tries to match it.
"""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
import asyncio
import logging
import os
import sqlite3
import sys
from typing import TYPE_CHECKING

from flows.run.processes.lean import collect_rarely, no_collections

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.middleware import Middleware

__all__ = ["application", "create_tables", "flows", "keep_state_in_memory", "main"]

_DATABASE = "PREFECT_API_DATABASE_CONNECTION_URL"
_MIGRATE = "PREFECT_API_DATABASE_MIGRATE_ON_START"
_DATABASE_FIELDS = frozenset({"connection_url", "driver", "name"})
"""Prefect's settings of which any one means that the user has configured a database."""
_SHARED = "file::memory:?cache=shared"
"""The name of an SQLite database in memory that all connections of this process share."""
_IN_MEMORY = f"sqlite+aiosqlite:///{_SHARED}&uri=true&check_same_thread=false"

_USED = frozenset(
    {
        "/admin/storage",
        "/admin/version",
        "/artifacts/",
        "/artifacts/{id:uuid}",
        "/csrf-token",
        "/events/in",
        "/flow_runs/",
        "/flow_runs/{id:uuid}",
        "/flow_runs/{id:uuid}/set_state",
        "/flows/",
        "/flows/{id:uuid}",
        "/logs/",
    }
)
"""The paths of Prefect's API that the clients of a run request, out of 200."""

_RECORDER = "prefect.server.services.task_run_recorder"
"""The logger of Prefect's service that records states of tasks; it works until the server ends."""


def application() -> "FastAPI":
    """Build Prefect's application without compression, with the routes of runs before others."""
    from fastapi import APIRouter
    from prefect.server.api import server

    used_routes = APIRouter()
    other_routers = [APIRouter() for _ in server.API_ROUTERS]
    for router, other_routes in zip(server.API_ROUTERS, other_routers, strict=True):
        for route in router.routes:
            is_used = getattr(route, "path", "") in _USED
            (used_routes if is_used else other_routes).routes.append(route)
    vars(server)["API_ROUTERS"] = (used_routes, *other_routers)
    server_app = server.create_app()
    inner_app: FastAPI = server_app.api_app  # type: ignore[attr-defined]  # Prefect adds it
    inner_app.user_middleware[:] = [
        middleware for middleware in inner_app.user_middleware if not _is_needless(middleware)
    ]
    return server_app


def keep_state_in_memory() -> sqlite3.Connection | None:
    """Make Prefect keep its state in memory; return None if the user has configured a database.

    Returns:
        A connection to the database in memory, which the caller must keep open. The database
        ends with its last connection, and Prefect closes and replaces its own connection if a
        request is cancelled.
    """
    from prefect.context import refresh_global_settings_context
    from prefect.settings import get_current_settings

    database = get_current_settings().server.database
    if not _DATABASE_FIELDS.isdisjoint(database.model_fields_set):
        return None
    os.environ |= {_DATABASE: _IN_MEMORY, _MIGRATE: "false"}
    refresh_global_settings_context()
    return sqlite3.connect(_SHARED, uri=True, check_same_thread=False)


def create_tables(state: sqlite3.Connection) -> None:
    """Create Prefect's tables in an empty database from its models, without its migrations."""
    import sqlalchemy
    from prefect.server.database.orm_models import Base

    for table in Base.metadata.tables.values():
        # One index is declared twice, and SQLite refuses to create it again.
        indexes_by_name = {index.name: index for index in table.indexes}
        table.indexes.intersection_update(indexes_by_name.values())
    engine = sqlalchemy.create_engine(
        "sqlite://", creator=lambda: state, poolclass=sqlalchemy.StaticPool
    )
    Base.metadata.create_all(engine)


def _is_needless(middleware: "Middleware") -> bool:
    """Whether a middleware only compresses responses, or sets a content type for old clients."""
    dispatch_target = middleware.kwargs.get("dispatch", middleware.cls)
    return getattr(dispatch_target, "__name__", "") in {"GZipMiddleware", "default_content_type"}


class _ShutdownFilter(logging.Filter):
    """A log filter that hides errors about tasks that are cancelled when the server shuts down."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return False for a record of an error about a cancelled task, and True otherwise."""
        fault = record.exc_info[1] if record.exc_info else None
        return not isinstance(fault, asyncio.CancelledError)


def main(port: int) -> None:
    """Serve Prefect's application on a loopback port until a signal ends the server."""
    collect_rarely()
    with no_collections() as imported:
        import uvicorn

        state = keep_state_in_memory()
        server_app = application()
        if state is not None:
            create_tables(state)
        imported()
    # A client that leaves while its connection is returned to the pool is not a fault.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    logging.getLogger(_RECORDER).addFilter(_ShutdownFilter())
    uvicorn.run(server_app, host="127.0.0.1", port=port, log_level="error", access_log=False)
    if state is not None:
        state.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
