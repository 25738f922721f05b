"""Check the NeMo Gym routes that seed a session, call tools by cookie, and verify a response."""

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

ALARM, TWO_TURNS, QUESTION = range(3)
"""Positions of the tasks in `errands()`."""


@pytest.fixture
def client() -> Iterator[TestClient]:
    with errands_client("nemo-gym") as test_client:
        yield test_client


def task_row(task: Task) -> dict[str, Plain]:
    """Return the row of a task in the format of NeMo Gym."""
    return FORMAT.row(task, offer_of_task(task, replies="turns"))


def model_response(*texts: str) -> dict[str, Plain]:
    """Return a response of the Responses API that contains each text after a call."""
    output: list[Plain] = []
    for text in texts:
        output += [
            {"type": "function_call", "name": "any", "arguments": "{}", "call_id": "1"},
            {"type": "message", "content": [{"type": "output_text", "text": text}]},
        ]
    return {"id": "r", "output": output}


def play_task(client: TestClient, index: int, answer: str) -> dict[str, Any]:
    """Make the gold calls of a task in a session and return the verification of an answer."""
    task = errands()[index]
    seed_response = client.post("/seed_session", json=task_row(task))
    assert seed_response.status_code == 200
    assert "httponly" in seed_response.headers["set-cookie"].lower()
    for turn in task.turns[1:]:
        assert client.post(f"/{REPLY}", json={"message": "And?"}).json() == turn
    for call in task.calls:
        call_response = client.post(f"/{call.tool.replace('.', '__')}", json=call.arguments)
        assert call_response.status_code == 200
        # Agents of nemo_gym send only the cookies of the last response.
        assert call_response.cookies == seed_response.cookies
    verification = client.post(
        "/verify", json=task_row(task) | {"response": model_response(answer)}
    )
    assert verification.status_code == 200
    result: dict[str, Any] = verification.json()
    assert result["responses_create_params"] == task_row(task)["responses_create_params"]
    repeated_verification = client.post(
        "/verify", json=task_row(task) | {"response": model_response("Else.")}
    )
    assert repeated_verification.json()["reward"] == result["reward"]
    return result


def test_wrong_answer_is_not_verified_as_right(client: TestClient) -> None:
    assert play_task(client, QUESTION, "I do not know.")["right_answer"] is False


def test_session_serves_only_the_task_of_its_row(client: TestClient) -> None:
    alarm, two_turns = errands()[ALARM], errands()[TWO_TURNS]
    assert client.post("/verify", json=task_row(alarm) | {"response": {}}).status_code == 404
    assert client.post("/alarms__create_alarm", json={}).status_code == 404
    assert client.post("/seed_session", json={"task_id": "none"}).status_code == 404
    assert client.post("/seed_session", content=b"[").status_code == 400
    client.post("/seed_session", json=task_row(alarm))
    for response_body in (None, 5, {"output": 5}):
        refused = client.post("/verify", json=task_row(alarm) | {"response": response_body})
        assert refused.status_code == 400
    assert client.post("/fly", json={}).status_code == 409
    assert client.post(f"/{REPLY}", json={"message": "Hm?"}).status_code == 409
    client.post("/alarms__create_alarm", content=b"\xff")
    assert client.post("/verify", json=task_row(two_turns) | {"response": {}}).status_code == 409
    verification = client.post("/verify", json=task_row(alarm) | {"response": {}})
    assert verification.json()["calls"] == 3  # two calls use tools that the task does not have
    client.cookies.clear()
    client.cookies.set(COOKIE, "0" * 32)
    assert client.post("/verify", json=task_row(alarm) | {"response": {}}).status_code == 404


def test_reply_tool_returns_user_turns_until_the_end() -> None:
    task = errands()[TWO_TURNS]
    attempt = Attempt(offer_of_task(task, replies="turns"), task)
    assert attempt.call(REPLY, {}).refused == "invalid_argument"
    for turn in (*task.turns[1:], OVER):
        assert attempt.call(REPLY, {"message": "Yes?"}).result == turn
    assert attempt.call(REPLY, {"message": "Yes?"}).refused == "unavailable"
    assert attempt.calls == 0
    attempt.close()
