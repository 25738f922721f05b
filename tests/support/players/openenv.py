"""Play an episode of OpenEnv."""

from typing import Any

from fastapi.testclient import TestClient

from benchloom.worlds.runs.offered_tools import REPLY
from benchloom.worlds.task import Task
from tests.support.players.moves import Moves


def play(client: TestClient, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt."""
    with client.websocket_connect("/ws", headers={"host": "localhost"}) as socket:

        def ask(kind: str, **data: Any) -> dict[str, Any]:
            socket.send_json({"type": kind, "data": data})
            reply = socket.receive_json()
            assert reply["type"] == "observation", reply
            observed: dict[str, Any] = reply["data"]
            return observed

        def step(name: str, arguments: Any) -> dict[str, Any]:
            return ask("step", type="call_tool", tool_name=name, arguments=arguments)

        observed = ask("reset", task_id=task.task_id)
        assert observed["observation"]["user"] == task.turns[0]
        for text in moves.texts[:-1]:
            observed = step(REPLY, {"message": text})
        for name, arguments in moves.calls:
            observed = step(name, arguments)
            assert observed["observation"]["error"] is None
        assert not observed["done"]
        observed = step(REPLY, {"message": moves.texts[-1]})
        assert observed["done"]
        return float(observed["reward"])
