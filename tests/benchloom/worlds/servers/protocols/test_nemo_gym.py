"""The routes of NeMo Gym: seeded by a row, called by cookie, verified with the model's response."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from benchloom.core.records.values import Plain
from benchloom.worlds.runs.offered_tools import OVER, REPLY, offer_of_task
from benchloom.worlds.servers.attempts import Attempt
from benchloom.worlds.servers.protocols.nemo_gym import COOKIE
from benchloom.worlds.task import Task
from benchloom.worlds.task_formats.nemo_gym import FORMAT
from tests.support.errands_client import errands_client
from tests.support.samples.errands import errands

ALARM, TWO, ASKED = range(3)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with errands_client("nemo-gym") as test_client:
        yield test_client


def row_of(task: Task) -> dict[str, Plain]:
    return FORMAT.row(task, offer_of_task(task, replies="turns"))


def response(*texts: str) -> dict[str, Plain]:
    """A response of the Responses API that contains messages between calls."""
    output: list[Plain] = []
    for text in texts:
        output += [
            {"type": "function_call", "name": "any", "arguments": "{}", "call_id": "1"},
            {"type": "message", "content": [{"type": "output_text", "text": text}]},
        ]
    return {"id": "r", "output": output}


def played(client: TestClient, place: int, answer: str) -> dict[str, Any]:
    task = errands()[place]
    seeded = client.post("/seed_session", json=row_of(task))
    assert seeded.status_code == 200
    assert "httponly" in seeded.headers["set-cookie"].lower()
    for turn in task.turns[1:]:
        assert client.post(f"/{REPLY}", json={"message": "And?"}).json() == turn
    for call in task.calls:
        call_response = client.post(f"/{call.tool.replace('.', '__')}", json=call.arguments)
        assert call_response.status_code == 200
        # Agents of nemo_gym send only the cookies of the last response.
        assert call_response.cookies == seeded.cookies
    verified = client.post("/verify", json=row_of(task) | {"response": response(answer)})
    assert verified.status_code == 200
    result: dict[str, Any] = verified.json()
    assert result["responses_create_params"] == row_of(task)["responses_create_params"]
    again = client.post("/verify", json=row_of(task) | {"response": response("Else.")})
    assert again.json()["reward"] == result["reward"]
    return result


def test_a_wrong_answer_earns_nothing(client: TestClient) -> None:
    assert played(client, ASKED, "I do not know.")["right_answer"] is False


def test_a_session_is_for_the_task_of_its_row(client: TestClient) -> None:
    alarm, two = errands()[ALARM], errands()[TWO]
    assert client.post("/verify", json=row_of(alarm) | {"response": {}}).status_code == 404
    assert client.post("/alarms__create_alarm", json={}).status_code == 404
    assert client.post("/seed_session", json={"task_id": "none"}).status_code == 404
    assert client.post("/seed_session", content=b"[").status_code == 400
    client.post("/seed_session", json=row_of(alarm))
    for response_body in (None, 5, {"output": 5}):
        refused = client.post("/verify", json=row_of(alarm) | {"response": response_body})
        assert refused.status_code == 400
    assert client.post("/fly", json={}).status_code == 409
    assert client.post(f"/{REPLY}", json={"message": "Hm?"}).status_code == 409
    client.post("/alarms__create_alarm", content=b"\xff")
    assert client.post("/verify", json=row_of(two) | {"response": {}}).status_code == 409
    verified = client.post("/verify", json=row_of(alarm) | {"response": {}})
    assert verified.json()["calls"] == 3  # two of tools that the task does not have
    client.cookies.clear()
    client.cookies.set(COOKIE, "0" * 32)
    assert client.post("/verify", json=row_of(alarm) | {"response": {}}).status_code == 404


def test_a_user_is_answered_by_a_tool_until_there_is_no_more_to_say() -> None:
    task = errands()[TWO]
    attempt = Attempt(offer_of_task(task, replies="turns"), task)
    assert attempt.call(REPLY, {}).refused == "invalid_argument"
    for turn in (*task.turns[1:], OVER):
        assert attempt.call(REPLY, {"message": "Yes?"}).result == turn
    assert attempt.call(REPLY, {"message": "Yes?"}).refused == "unavailable"
    assert attempt.calls == 0
    attempt.close()
