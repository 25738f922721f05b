"""Check every task protocol: gold earns the reward, idling earns none, access rules hold."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.access import LOCAL, Access
from benchloom.worlds.servers.attempts import Attempts
from benchloom.worlds.servers.protocols import TASK_PROTOCOLS
from benchloom.worlds.servers.protocols.base import tasks_app
from benchloom.worlds.servers.tasks_web import tasks_application
from tests.support.players.moves import gold_moves, no_moves, score_moves
from tests.support.samples.tasks_of_suites import tasks_of_suites

PROTOCOLS = TASK_PROTOCOLS.names()
TOKEN = "a-token-that-nobody-knows"
WITH_TOKEN = Access(token=TOKEN)


@contextmanager
def open_client(name: str, access: Access = LOCAL) -> Iterator[TestClient]:
    """Serve the tasks of all suites by a protocol, and yield a client."""
    attempts = Attempts(TaskStore(tasks_of_suites()), most=3)
    application = tasks_application(TASK_PROTOCOLS.find(name), attempts, access, lambda: None)
    with TestClient(application, base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("name", [*PROTOCOLS, "trl"])  # TRL plays tasks in its own process
def test_gold_earns_one_and_idling_earns_zero(name: str) -> None:
    player: Any = import_module(f"tests.support.players.{name.replace('-', '_')}")
    with nullcontext() if name == "trl" else open_client(name) as client:
        for task in tasks_of_suites():
            for moves, reward in ((gold_moves(task), 1.0), (no_moves(task), 0.0)):
                assert player.play(client, task, moves) == score_moves(task, moves) == reward


def routes_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield the method and path of every route; the method of a WebSocket is WS."""
    app = tasks_app(TASK_PROTOCOLS.find(name), Attempts(TaskStore(tasks_of_suites())))
    yield "POST", "/agents/nobody"
    for route in app.routes:
        if isinstance(route, APIRoute):
            yield min(route.methods or ()), route.path.replace("{", "").replace("}", "")
        elif isinstance(route, APIWebSocketRoute):
            yield "WS", route.path


def is_refused(client: TestClient, method: str, path: str, headers: dict[str, str]) -> bool:
    if method != "WS":
        return client.request(method, path, headers=headers).status_code in {401, 403, 421}
    try:
        with client.websocket_connect(path, headers=headers):
            return False
    except WebSocketDisconnect as error:
        return error.code == 1008


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_route_requires_own_origin_host_and_token(name: str) -> None:
    here = {"host": "localhost"}
    tokens = (
        {"authorization": f"Bearer {TOKEN}"},
        {"x-api-key": TOKEN},
        {"authorization": "Basic eDphLXRva2VuLXRoYXQtbm9ib2R5LWtub3dz"},
    )
    with open_client(name) as client, open_client(name, WITH_TOKEN) as guarded:
        for method, path in routes_of(name):
            assert not is_refused(client, method, path, here)
            assert is_refused(client, method, path, {"host": "evil.test"})
            assert is_refused(client, method, path, {**here, "origin": "http://evil.test"})
            assert is_refused(guarded, method, path, here)
            assert is_refused(guarded, method, path, {**here, "x-api-key": f"{TOKEN}x"})
            assert not any(is_refused(guarded, method, path, here | token) for token in tokens)
