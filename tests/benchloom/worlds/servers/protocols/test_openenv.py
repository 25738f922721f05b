"""Check episodes over a WebSocket, with resets, refused calls and clients that disconnect."""

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

LOCAL_HEADERS = {"host": "localhost"}


@contextmanager
def connect_client(idle: float = 60.0) -> Iterator[tuple[WebSocketTestSession, Attempts]]:
    """Connect a client to a server of sample tasks and yield its socket and the attempts."""
    attempts = Attempts(TaskStore(errands()), most=1, idle=idle)
    application = tasks_application(PROTOCOL, attempts, LOCAL, lambda: None)
    with TestClient(application, base_url="http://localhost") as client:
        assert client.get("/health").json()["status"] == "healthy"
        assert client.get("/metadata").json()["name"] == "benchloom"
        with client.websocket_connect("/ws", headers=LOCAL_HEADERS) as socket:
            yield socket, attempts


def send_message(socket: WebSocketTestSession, kind: str, **data: Any) -> Any:
    """Send a message and return the data of the reply."""
    socket.send_json({"type": kind, "data": data})
    return socket.receive_json()["data"]


def test_reset_opens_the_named_or_a_chosen_task() -> None:
    ids = [task.task_id for task in errands()]
    with connect_client() as (socket, attempts):

        def reset(**data: Any) -> int:
            return ids.index(send_message(socket, "reset", **data)["observation"]["task_id"])

        assert [reset(), reset(), reset(), reset()] == [0, 1, 2, 0]
        assert [reset(seed=7), reset(seed=7), reset(seed=2, split="test")] == [1, 1, 2]
        assert reset(task_id=ids[2], episode_id="e") == 2
        assert len(attempts) == 1
        assert send_message(socket, "state")["task_id"] == ids[2]
        tools = send_message(socket, "step", type="list_tools")["observation"]["tools"]
        assert "reply_to_user" in {tool["name"] for tool in tools}
        socket.send_json({"type": "close"})
        assert socket.receive()["type"] == "websocket.close"
        assert len(attempts) == 0


def test_invalid_messages_and_calls_return_error_codes() -> None:
    with connect_client() as (socket, _):
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
        send_message(socket, "reset")
        assert send_message(socket, "step", type="fly")["code"] == "VALIDATION_ERROR"
        for name, kind in (("fly", "tool_not_found"), ("alarms__create_alarm", "invalid_args")):
            reply = send_message(socket, "step", tool_name=name)
            assert reply["observation"]["error"]["error_type"] == kind
            assert not reply["done"]


def test_idle_client_loses_its_episode() -> None:
    with connect_client(idle=0.05) as (socket, attempts):
        send_message(socket, "reset")
        assert socket.receive()["type"] == "websocket.close"
        assert len(attempts) == 0
