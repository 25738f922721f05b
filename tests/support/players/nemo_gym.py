"""Play a task as a row of NeMo Gym."""

from fastapi.testclient import TestClient

from benchloom.worlds.runs.offered_tools import REPLY, offer_of_task
from benchloom.worlds.task import Task
from benchloom.worlds.task_formats.nemo_gym import FORMAT
from tests.support.players.moves import Moves


def play(client: TestClient, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt with these moves."""
    row = FORMAT.row(task, offer_of_task(task, replies=FORMAT.replies))
    assert client.post("/seed_session", json=row).status_code == 200
    for text in moves.texts[:-1]:
        assert client.post(f"/{REPLY}", json={"message": text}).status_code == 200
    for name, arguments in moves.calls:
        assert client.post(f"/{name}", json=arguments).status_code == 200
    last_message = {
        "type": "message",
        "content": [{"type": "output_text", "text": moves.texts[-1]}],
    }
    verification = client.post("/verify", json=row | {"response": {"output": [last_message]}})
    return float(verification.json()["reward"])
