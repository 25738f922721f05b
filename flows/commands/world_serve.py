"""`benchloom world serve SUITE`."""

import sys
from typing import Annotated

import msgspec
import typer

from flows.commands._names import listing
from flows.commands.options import Json


class ServeSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What was served, at standard error once it ended; JSON with `--json`."""

    command: str
    world: str
    tools: int
    sessions: int
    calls: int


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """Where clients find the world; `--json` prints it as soon as they may come."""

    command: str
    world: str
    tools: int
    mcp: str
    openapi: str


def serve(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="One of those below.")],
    start: Annotated[
        str, typer.Option("--start", metavar="JSON", help="Start of the world, as JSON.")
    ] = "{}",
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, help="Serve by HTTP on loopback; 0 takes a free port."
        ),
    ] = None,
    clients: Annotated[
        int, typer.Option("--clients", min=1, max=10_000, help="Sessions open at once, by HTTP.")
    ] = 200,
    idle: Annotated[
        float, typer.Option("--idle", min=1, help="Seconds until an unused session is closed.")
    ] = 1800.0,
    json: Json = False,
) -> None:
    """Offer a world's tools: MCP at standard input and output, or MCP and OpenAPI by HTTP."""
    from benchloom.extras import extra
    from benchloom.worlds.offers import offer_of
    from benchloom.worlds.suites import SUITES

    offer = offer_of(SUITES.find(suite).world(start))
    with extra("serve", "served worlds"):
        if port is None:
            from benchloom.worlds.serving.stdio import serve_stdio
        else:
            from benchloom.worlds.serving.web import HOST, MCP_PATH, serve_web
    name, tools = offer.world.name, len(offer.tools)

    def ready(found: int) -> None:
        place = f"http://{HOST}:{found}"
        told = Serving(
            command="world serve",
            world=name,
            tools=tools,
            mcp=place + MCP_PATH,
            openapi=place + "/openapi.json",
        )
        line = f"{name}, {tools} tools: MCP at {told.mcp}, OpenAPI at {told.openapi}"
        sys.stdout.write((msgspec.json.encode(told).decode() if json else line) + "\n")
        sys.stdout.flush()

    if port is None:
        served = serve_stdio(offer)
    else:
        served = serve_web(offer, ready, port=port, most=clients, idle=idle)
    done = ServeSummary(
        command="world serve",
        world=name,
        tools=tools,
        sessions=served.sessions,
        calls=served.calls,
    )
    line = f"{name} served {served.sessions} sessions and {served.calls} calls"
    sys.stderr.write((msgspec.json.encode(done).decode() if json else line) + "\n")


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command under `benchloom world`."""
    del app
    told = listing("Suites", _suites)
    parents["world"].command("serve", cls=told, no_args_is_help=True)(serve)


def _suites() -> tuple[str, ...]:
    from benchloom.worlds.suites import SUITES

    return SUITES.names()
