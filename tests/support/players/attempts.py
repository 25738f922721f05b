"""Play a task by our own routes."""

from fastapi.testclient import TestClient

from benchloom.worlds.task import Task
from tests.support.players.moves import Moves


def play(client: TestClient, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt."""
    opened = client.post("/attempts", json={"task": task.task_id}).json()
    attempt = f"/attempts/{opened['attempt']}"
    for text in moves.texts[:-1]:
        client.post(f"{attempt}/messages", json={"text": text})
    for name, arguments in moves.calls:
        assert client.post(f"{attempt}/calls/{name}", json=arguments).status_code == 200
    client.post(f"{attempt}/messages", json={"text": moves.texts[-1]})
    return float(client.post(f"{attempt}/end").json()["reward"])
