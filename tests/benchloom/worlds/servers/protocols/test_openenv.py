"""Episodes over a WebSocket: named or drawn tasks, refused calls, and clients that leave."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.access import LOCAL
from benchloom.worlds.servers.attempts import Attempts
from benchloom.worlds.servers.protocols.openenv import PROTOCOL
from benchloom.worlds.servers.tasks_web import tasks_application
from tests.support.samples.errands import errands

HERE = {"host": "localhost"}


@contextmanager
def connected(idle: float = 60.0) -> Iterator[tuple[WebSocketTestSession, Attempts]]:
    attempts = Attempts(TaskStore(errands()), most=1, idle=idle)
    application = tasks_application(PROTOCOL, attempts, LOCAL, lambda: None)
    with TestClient(application, base_url="http://localhost") as client:
        assert client.get("/health").json()["status"] == "healthy"
        assert client.get("/metadata").json()["name"] == "benchloom"
        with client.websocket_connect("/ws", headers=HERE) as socket:
            yield socket, attempts


def ask(socket: WebSocketTestSession, kind: str, **data: Any) -> Any:
    socket.send_json({"type": kind, "data": data})
    return socket.receive_json()["data"]


def test_a_reset_names_a_task_or_draws_one() -> None:
    ids = [task.task_id for task in errands()]
    with connected() as (socket, attempts):

        def reset(**data: Any) -> int:
            return ids.index(ask(socket, "reset", **data)["observation"]["task_id"])

        assert [reset(), reset(), reset(), reset()] == [0, 1, 2, 0]
        assert [reset(seed=7), reset(seed=7), reset(seed=2, split="test")] == [1, 1, 2]
        assert reset(task_id=ids[2], episode_id="e") == 2
        assert len(attempts) == 1
        assert ask(socket, "state")["task_id"] == ids[2]
        tools = ask(socket, "step", type="list_tools")["observation"]["tools"]
        assert "reply_to_user" in {tool["name"] for tool in tools}
        socket.send_json({"type": "close"})
        assert socket.receive()["type"] == "websocket.close"
        assert len(attempts) == 0


def test_refused_calls_and_messages_are_told_by_their_kind() -> None:
    with connected() as (socket, _):
        for text, code in (
            ("[", "INVALID_JSON"),
            ('{"type": "fly"}', "UNKNOWN_TYPE"),
            ('{"type": "state"}', "SESSION_ERROR"),
            ('{"type": "step", "data": {"tool_name": 5}}', "INVALID_JSON"),
            ('{"type": "reset", "data": {"task_id": "none"}}', "VALIDATION_ERROR"),
            ('{"type": "reset", "data": {"split": "none"}}', "VALIDATION_ERROR"),
        ):
            socket.send_text(text)
            assert socket.receive_json()["data"]["code"] == code
        ask(socket, "reset")
        assert ask(socket, "step", type="fly")["code"] == "VALIDATION_ERROR"
        for name, kind in (("fly", "tool_not_found"), ("alarms__create_alarm", "invalid_args")):
            observed = ask(socket, "step", tool_name=name)
            assert observed["observation"]["error"]["error_type"] == kind
            assert not observed["done"]


def test_a_client_that_says_nothing_for_long_loses_its_episode() -> None:
    with connected(idle=0.05) as (socket, attempts):
        ask(socket, "reset")
        assert socket.receive()["type"] == "websocket.close"
        assert len(attempts) == 0
