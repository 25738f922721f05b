"""Check task lists, tool calls and sessions of the Open Reward Standard."""

import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from benchloom.worlds.runs.offered_tools import REPLY
from benchloom.worlds.servers.protocols import ors
from benchloom.worlds.servers.protocols.ors import ENVIRONMENT, SESSION_HEADER
from tests.support.errands_client import errands_client
from tests.support.players.ors import call, events
from tests.support.samples.errands import errands

ENVIRONMENT_URL = f"/{ENVIRONMENT}"


@pytest.fixture
def client() -> Iterator[TestClient]:
    with errands_client("ors") as test_client:
        yield test_client


def open_session(client: TestClient, index: int) -> dict[str, str]:
    """Open a session for the task at an index and return its headers."""
    headers = {SESSION_HEADER: events(client.post("/create_session").text)[0][1]}
    created = client.post("/create", json={"split": "test", "index": index}, headers=headers)
    assert created.json()["sid"] == headers[SESSION_HEADER]
    return headers


def test_tasks_are_listed_by_split(client: TestClient) -> None:
    specs = [{"task_id": task.task_id} for task in errands()]
    assert client.get(f"{ENVIRONMENT_URL}/splits").json() == [{"name": "test", "type": "test"}]
    for path, more, expected in (
        ("tasks", {}, {"tasks": specs, "env_name": ENVIRONMENT}),
        ("num_tasks", {}, {"num_tasks": len(specs)}),
        ("task", {"index": 1}, {"task": specs[1]}),
        ("task_range", {"start": -2}, {"tasks": specs[-2:]}),
    ):
        request = {"split": "test", **more}
        assert client.post(f"{ENVIRONMENT_URL}/{path}", json=request).json() == expected
        assert client.post(f"{ENVIRONMENT_URL}/{path}", json={"split": "none"}).status_code == 400
    assert (
        client.post(f"{ENVIRONMENT_URL}/task", json={"split": "test", "index": 9}).status_code
        == 400
    )


def test_session_has_the_prompt_and_tools_of_its_task(client: TestClient) -> None:
    headers = open_session(client, 0)
    (block,) = client.get(f"{ENVIRONMENT_URL}/prompt", headers=headers).json()
    assert block["text"].endswith(errands()[0].turns[0])
    tools = client.get(f"{ENVIRONMENT_URL}/task_tools", headers=headers).json()["tools"]
    expected = {name.replace(".", "__") for name in errands()[0].tools} | {REPLY}
    assert {tool["name"] for tool in tools} == expected


def test_results_can_be_refetched_and_refusals_are_errors(client: TestClient) -> None:
    headers = open_session(client, 0)
    body = {"name": "alarms__create_alarm", "input": {"time": "04:44"}}
    first = client.post(f"{ENVIRONMENT_URL}/call", json=body, headers=headers).text
    repeated_body = {**body, "task_id": events(first)[0][1]}
    assert client.post(f"{ENVIRONMENT_URL}/call", json=repeated_body, headers=headers).text == first
    other = client.post(f"{ENVIRONMENT_URL}/call", json={**body, "task_id": "x"}, headers=headers)
    assert events(other.text) == [("error", "unknown task_id")]
    refused = client.post(f"{ENVIRONMENT_URL}/call", json=body, headers=headers)
    assert json.loads(events(refused.text)[-1][1])["ok"] is False


def test_long_result_is_sent_in_pieces(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = open_session(client, 0)
    expected = call(client, headers, "alarms__create_alarm", {"time": "04:44", "label": "a   b c"})
    monkeypatch.setattr(ors, "_PIECE", 3)
    headers = open_session(client, 0)
    arguments = {"time": "04:44", "label": "a   b c"}
    assert call(client, headers, "alarms__create_alarm", arguments) == expected


def test_session_is_created_once_and_ends_when_deleted(client: TestClient) -> None:
    headers = open_session(client, 0)
    assert client.post("/ping", headers=headers).status_code == 200
    for session in (headers[SESSION_HEADER], "short", ""):
        reply = client.post("/create", json={"split": "test"}, headers={SESSION_HEADER: session})
        assert reply.status_code == 400
    new_headers = {SESSION_HEADER: "a" * 32}
    for creation in ({"split": "none"}, {"task_spec": {"task_id": "none"}}):
        assert client.post("/create", json=creation, headers=new_headers).status_code == 400
    assert client.post("/delete", headers=headers).status_code == 200
    for method, path in (
        ("POST", "/ping"),
        ("GET", f"{ENVIRONMENT_URL}/prompt"),
        ("GET", f"{ENVIRONMENT_URL}/task_tools"),
    ):
        assert client.request(method, path, headers=headers).status_code == 404
    body = {"name": REPLY, "input": {}}
    assert client.post(f"{ENVIRONMENT_URL}/call", json=body, headers=headers).status_code == 404
