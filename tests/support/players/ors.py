"""Play a task as a session of the Open Reward Standard."""

import json
from typing import Any

from fastapi.testclient import TestClient

from benchloom.worlds.runs.offered_tools import REPLY
from benchloom.worlds.servers.protocols.ors import ENVIRONMENT, SESSION_HEADER
from benchloom.worlds.task import Task
from tests.support.players.moves import Moves


def play(client: TestClient, task: Task, moves: Moves) -> float:
    """Return the reward of an attempt with these moves."""
    headers = {SESSION_HEADER: events(client.post("/create_session").text)[0][1]}
    creation = {"task_spec": {"task_id": task.task_id}, "env_name": ENVIRONMENT}
    assert client.post("/create", json=creation, headers=headers).status_code == 200
    for text in moves.texts[:-1]:
        call(client, headers, REPLY, {"message": text})
    for name, arguments in moves.calls:
        assert not call(client, headers, name, arguments)["finished"]
    last = call(client, headers, REPLY, {"message": moves.texts[-1]})
    assert last["finished"]
    client.post("/delete", headers=headers)
    return float(last["reward"])


def call(client: TestClient, headers: dict[str, str], name: str, arguments: Any) -> dict[str, Any]:
    """Call a tool and return its output."""
    body = {"name": name, "input": arguments}
    reply = client.post(f"/{ENVIRONMENT}/call", json=body, headers=headers)
    result = json.loads("".join(data for _, data in events(reply.text)[1:]))
    assert result["ok"], result
    output: dict[str, Any] = result["output"]
    return output


def events(text: str) -> list[tuple[str, str]]:
    """Return the kind and the data of every event in an event stream."""
    pairs = []
    for event in text.strip().split("\r\n\r\n"):
        kind, data = event.split("\r\n")
        pairs.append((kind.removeprefix("event: "), data.removeprefix("data: ").lstrip()))
    return pairs
