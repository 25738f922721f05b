"""Play a task through our own HTTP routes."""

from fastapi.testclient import TestClient

from benchloom.worlds.task import Task
from tests.support.players.moves import Moves


def play(client: TestClient, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt with these moves."""
    open_attempt = client.post("/attempts", json={"task": task.task_id}).json()
    attempt = f"/attempts/{open_attempt['attempt']}"
    for text in moves.texts[:-1]:
        client.post(f"{attempt}/messages", json={"text": text})
    for name, arguments in moves.calls:
        assert client.post(f"{attempt}/calls/{name}", json=arguments).status_code == 200
    client.post(f"{attempt}/messages", json={"text": moves.texts[-1]})
    return float(client.post(f"{attempt}/end").json()["reward"])
