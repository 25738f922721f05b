"""The command `benchloom world serve`: it serves a suite's world, a task, or a table of tasks."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import RunError, extra
from flows.commands._help import SUITES, Commands, rare
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

if TYPE_CHECKING:
    from benchloom.worlds.offers import Offer

GROUP = Commands()
_ATTEMPTS = "attempts"
"""The protocol in which tasks are served if the user chooses none."""


class ServeSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `world serve --json` prints to standard error when it ends."""

    command: str
    world: str
    tools: int
    sessions: int
    calls: int


class TasksAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the served tasks; `--json` prints this as soon as clients can connect."""

    command: str
    tasks: int
    protocol: str
    address: str
    openapi: str
    token: str | None = None


class WorldAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the served world; `--json` prints this as soon as clients can connect."""

    command: str
    world: str
    tools: int
    mcp: str
    openapi: str
    token: str | None = None


@GROUP.command(
    "serve", lists=SUITES | {"Protocols": "benchloom.worlds.servers.protocols:TASK_PROTOCOLS.names"}
)
def serve(
    suite: Annotated[
        str,
        Argument(
            metavar="[SUITE]",
            help="Name of a world suite, from the list below; omit it to serve tasks.",
        ),
    ] = "",
    start: Annotated[
        str,
        rare(
            metavar="NAME",
            help="Start (initial state) of the world: the name of a loaded start, or JSON.",
        ),
    ] = "",
    tasks: Annotated[
        Path | None, Option(metavar="DIR", help="Folder with a table of tasks, or a release.")
    ] = None,
    task: Annotated[
        str,
        Option(
            metavar="ID",
            help="Id of one task of --tasks. If absent, all tasks are served and scored.",
        ),
    ] = "",
    protocol: Annotated[
        str,
        Option(
            metavar="NAME",
            help="Protocol in which all tasks of --tasks are served, from the list below.",
        ),
    ] = _ATTEMPTS,
    port: Annotated[
        int | None,
        Option(min=0, max=65535, help="Serve HTTP on this loopback port; 0 chooses a free one."),
    ] = None,
    host: Annotated[
        str,
        rare(
            metavar="ADDRESS",
            help="Address to listen on with --port; clients on other machines need the token.",
        ),
    ] = "127.0.0.1",
    token: Annotated[
        str,
        rare(
            envvar="BENCHLOOM_SERVE_TOKEN",
            help="Token that clients send as 'Authorization: Bearer TOKEN'. If absent, loopback "
            "needs no token; for other addresses a token is generated and printed.",
        ),
    ] = "",
    clients: Annotated[
        int, rare(min=1, max=10_000, help="Maximum number of open HTTP sessions.")
    ] = 200,
    idle: Annotated[
        float, rare(min=1, help="Seconds after which an unused session is closed.")
    ] = 1800.0,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Serve the tools of a world or of tasks over MCP or HTTP.

    Examples:
        benchloom world serve everyday
        benchloom world serve --tasks tasks --protocol ors --port 8080
    """
    if tasks is not None and not task and not suite:
        _serve_all(tasks, protocol, port, host, token, clients, idle, json=json)
        return
    if protocol != _ATTEMPTS:
        raise RunError(
            "--protocol serves all tasks of --tasks: omit SUITE and --task, or omit --protocol"
        )
    offer = _offer(suite, start, tasks, task, workspace)
    with extra("serve", "served worlds"):
        if port is None:
            from benchloom.worlds.servers.stdio import serve_stdio
        else:
            from benchloom.worlds.servers.access import access_for
            from benchloom.worlds.servers.web import MCP_PATH, serve_web

            access = access_for(host, token)
    name, tools = offer.world.name, len(offer.tools)

    def ready(free_port: int) -> None:
        base_url = _base_url(host, free_port)
        summary = WorldAddress(
            command="world serve",
            world=name,
            tools=tools,
            mcp=base_url + MCP_PATH,
            openapi=base_url + "/openapi.json",
            token=None if token else access.token or None,
        )
        line = f"{name}, {tools} tools: MCP at {summary.mcp}, OpenAPI at {summary.openapi}"
        line += _token_line(summary.token)
        finish(summary, [line], as_json=json)

    if port is None:
        served = serve_stdio(offer)
    else:
        served = serve_web(offer, ready, port=port, access=access, most=clients, idle=idle)
    _report_end(name, tools, served.sessions, served.calls, json=json)


def _base_url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _token_line(token: str | None) -> str:
    """Return text that shows a generated token, or "" without one; no other output contains it."""
    return "" if token is None else f"; send 'Authorization: Bearer {token}'"


def _serve_all(
    folder: Path,
    protocol_name: str,
    port: int | None,
    host: str,
    token: str,
    clients: int,
    idle: float,
    *,
    json: bool,
) -> None:
    """Serve every task in the table of tasks in `folder`, until interrupted.

    Raises:
        RunError: `--port` is missing, or the table has no task.
    """
    from benchloom.worlds.runs.task_reader import read_tasks
    from benchloom.worlds.runs.task_store import TaskStore

    with extra("serve", "served worlds"):
        from benchloom.worlds.servers.access import access_for
        from benchloom.worlds.servers.protocols import TASK_PROTOCOLS
        from benchloom.worlds.servers.tasks_web import serve_tasks
    protocol = TASK_PROTOCOLS.find(protocol_name)
    store = TaskStore(read_tasks(folder))
    if port is None:
        raise RunError(
            "several tasks can be served only over HTTP: pass --port N, or a single "
            "task with --task ID"
        )
    access = access_for(host, token)

    def ready(free_port: int) -> None:
        summary = TasksAddress(
            command="world serve",
            tasks=len(store),
            protocol=protocol_name,
            address=_base_url(host, free_port) + protocol.path,
            openapi=f"{_base_url(host, free_port)}/openapi.json",
            token=None if token else access.token or None,
        )
        line = (
            f"{summary.tasks} tasks: {protocol_name} at {summary.address}, "
            f"OpenAPI at {summary.openapi}"
        )
        line += _token_line(summary.token)
        finish(summary, [line], as_json=json)

    served = serve_tasks(store, protocol, ready, port=port, access=access, most=clients, idle=idle)
    _report_end("tasks", 0, served.sessions, served.calls, json=json)


def _report_end(name: str, tools: int, sessions: int, calls: int, *, json: bool) -> None:
    done = ServeSummary(
        command="world serve", world=name, tools=tools, sessions=sessions, calls=calls
    )
    line = f"{name} served {sessions} sessions and {calls} calls"
    sys.stderr.write((msgspec.json.encode(done).decode() if json else line) + "\n")


def _offer(suite: str, start: str, tasks: Path | None, task: str, workspace: Path) -> "Offer":
    """Return the tools to serve, and the world of a suite or task in which they run.

    Raises:
        RunError: neither a suite nor a task is set, both are set, or a name is unknown.
    """
    from benchloom.worlds.offers import offer_of
    from benchloom.worlds.runs.offered_tools import offer_of_task
    from benchloom.worlds.runs.task_reader import find_task
    from benchloom.worlds.suites import SUITES
    from benchloom.worlds.world_files import loaded_starts

    if bool(suite) == bool(task) or bool(task) != (tasks is not None):
        raise RunError(
            f"nothing to serve: pass a SUITE ({', '.join(SUITES.names())}), or a task with "
            f"--tasks DIR --task ID; see `benchloom world serve --help`"
        )
    if tasks is not None:
        return offer_of_task(find_task(tasks, task))
    member = SUITES.find(suite)
    loaded = loaded_starts(workspace, SUITES.spelt(suite))
    if not start and member.load is not None and len(loaded) != 1:
        raise RunError(
            f"{suite} has {len(loaded)} loaded starts: choose one with --start; see "
            f"`benchloom world list`"
        )
    if not start:
        return offer_of(member.world(next(iter(loaded.values()), "{}")))
    return offer_of(member.world(loaded.get(start, start)))
