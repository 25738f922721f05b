"""Play a task as an episode of OpenEnv."""

from typing import Any

from fastapi.testclient import TestClient

from benchloom.worlds.runs.offered_tools import REPLY
from benchloom.worlds.task import Task
from tests.support.players.moves import Moves


def play(client: TestClient, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt with these moves."""
    with client.websocket_connect("/ws", headers={"host": "localhost"}) as socket:

        def send_action(kind: str, **data: Any) -> dict[str, Any]:
            socket.send_json({"type": kind, "data": data})
            reply = socket.receive_json()
            assert reply["type"] == "observation", reply
            observation: dict[str, Any] = reply["data"]
            return observation

        def step(name: str, arguments: Any) -> dict[str, Any]:
            return send_action("step", type="call_tool", tool_name=name, arguments=arguments)

        observation = send_action("reset", task_id=task.task_id)
        assert observation["observation"]["user"] == task.turns[0]
        for text in moves.texts[:-1]:
            observation = step(REPLY, {"message": text})
        for name, arguments in moves.calls:
            observation = step(name, arguments)
            assert observation["observation"]["error"] is None
        assert not observation["done"]
        observation = step(REPLY, {"message": moves.texts[-1]})
        assert observation["done"]
        return float(observation["reward"])
