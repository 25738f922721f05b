"""Check attempts over HTTP with their calls, messages, scores and limits."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import offer_of
from benchloom.worlds.runs.offered_tools import offer_of_task
from benchloom.worlds.runs.scoring import MAX_TEXT, AgentRun, RunCall, score_of
from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.attempts import MAX_ALL_MESSAGES, Attempt, Attempts
from benchloom.worlds.servers.protocols.attempts import PROTOCOL
from benchloom.worlds.servers.protocols.base import tasks_app
from benchloom.worlds.session import MAX_CALLS
from tests.support.clock import Clock
from tests.support.errands_client import errands_client
from tests.support.jars import JARS
from tests.support.samples.errands import errands, next_alarm
from tests.support.slow_requests import status_of_slow_request

ALARM, TWO_TURNS, QUESTION = range(3)
"""Positions of the tasks in `errands()`."""


@pytest.fixture
def client() -> Iterator[TestClient]:
    with errands_client() as test_client:
        yield test_client


def open_attempt(client: TestClient, index: int, **more: Plain) -> dict[str, Any]:
    """Open an attempt at a task and return the response."""
    reply = client.post("/attempts", json={"task": errands()[index].task_id, **more})
    assert reply.status_code == 201
    attempt: dict[str, Any] = reply.json()
    return attempt


def play_gold_calls(client: TestClient, index: int, answer: str = "Done.") -> dict[str, Any]:
    """Return the score after hearing every user turn, making the gold calls, and answering."""
    task = errands()[index]
    attempt = open_attempt(client, index)
    attempt_url = f"/attempts/{attempt['attempt']}"
    user_turns = [attempt["user"]]
    while len(user_turns) < len(task.turns):
        user_turns.append(
            client.post(f"{attempt_url}/messages", json={"text": "And?"}).json()["user"]
        )
    assert tuple(user_turns) == task.turns
    for call in task.calls:
        name = call.tool.replace(".", "__")
        assert client.post(f"{attempt_url}/calls/{name}", json=call.arguments).status_code == 200
    reply = client.post(f"{attempt_url}/messages", json={"text": answer}).json()
    assert reply == {"user": None, "over": True}
    score: dict[str, Any] = client.post(f"{attempt_url}/end").json()
    assert client.post(f"{attempt_url}/end").json() == score
    return score


@pytest.mark.parametrize("index", [ALARM, TWO_TURNS, QUESTION])
def test_only_the_gold_calls_solve_a_task(client: TestClient, index: int) -> None:
    score = play_gold_calls(client, index, f"At {next_alarm()}.")
    assert score["solved"]
    assert (score["reward"], score["collateral"], score["refused"]) == (1, [], 0)
    assert score["recovered"] is None
    attempt = open_attempt(client, index)
    idle_score = client.post(f"/attempts/{attempt['attempt']}/end").json()
    assert (idle_score["solved"], idle_score["reward"], idle_score["calls"]) == (False, 0, 0)


def test_score_reports_each_fault_separately(client: TestClient) -> None:
    assert play_gold_calls(client, QUESTION, "I do not know.")["answer"] is False
    attempt_url = f"/attempts/{open_attempt(client, ALARM)['attempt']}"
    for body in (b'{"time": "04:44"}', b'{"time": 5}', b"[", b"[]", b"\xff"):
        client.post(f"{attempt_url}/calls/alarms__create_alarm", content=body)
    client.post(f"{attempt_url}/calls/fly", json={})
    score = client.post(f"{attempt_url}/end").json()
    assert (score["calls"], score["refused"], score["recovered"]) == (6, 5, False)
    assert score["digest"] is False
    assert [table for table, _ in score["collateral"]] == ["alarms"]


def test_attempts_are_isolated_and_not_ended_by_mcp_keys(client: TestClient) -> None:
    attempt, other = open_attempt(client, ALARM), open_attempt(client, ALARM)
    urls = [f"/attempts/{response['attempt']}" for response in (attempt, other)]
    before = client.get(urls[1]).json()
    response = client.post(f"{urls[0]}/calls/alarms__create_alarm", json={"time": "03:33"})
    assert response.status_code == 200
    assert client.get(urls[1]).json() == before
    assert client.get(urls[0]).json()["digest"] != before["digest"]
    mcp_key = attempt["mcp"].rpartition("/")[2]
    assert client.post(f"/attempts/{mcp_key}/end").status_code == 404


def test_attempt_has_task_tools_and_requested_distractors(client: TestClient) -> None:
    task = errands()[ALARM]
    names = {tool["function"]["name"] for tool in open_attempt(client, ALARM)["tools"]}
    assert names == {tool_name.replace(".", "__") for tool_name in task.tools}
    fewer = {
        tool["function"]["name"] for tool in open_attempt(client, ALARM, distractors=0)["tools"]
    }
    assert fewer == names - {tool_name.replace(".", "__") for tool_name in task.distractors}
    task_list = client.get("/tasks").json()
    assert task_list == {"tasks": [errand.task_id for errand in errands()], "count": len(errands())}
    assert client.get("/tasks?offset=2").json()["tasks"] == [errands()[2].task_id]
    assert client.get("/tasks?offset=x").json()["tasks"] == task_list["tasks"]


REQUESTS: list[tuple[str, bytes, int]] = [
    ("/attempts", b"", 400),
    ("/attempts", b"[" * 100_000, 400),
    ("/attempts", b'{"task": "\\ud800"}', 400),
    ("/attempts", b'{"task": "nowhere"}', 404),
    ("/attempts", b'{"task": ""}', 404),
    ("/attempts", b'{"task": "\'; DROP TABLE tasks; --"}', 404),
    ("/attempts", b'{"task": "x", "gold": true}', 400),
    ("/attempts/none/end", b"", 404),
    ("/attempts/none/messages", b"{}", 404),
    ("/attempts/none/calls/alarms__next_alarm", b"{}", 404),
]


@pytest.mark.parametrize(("path", "body", "status"), REQUESTS)
def test_invalid_request_gets_a_short_error_message(
    client: TestClient, path: str, body: bytes, status: int
) -> None:
    response = client.post(path, content=body)
    assert response.status_code == status
    assert response.json()["message"]
    assert len(response.content) < 1000


def test_attempts_are_limited_and_can_be_deleted(client: TestClient) -> None:
    attempts = [open_attempt(client, ALARM) for _ in range(3)]
    assert client.delete(f"/attempts/{attempts[0]['attempt']}").status_code == 204
    assert client.delete(f"/attempts/{attempts[0]['attempt']}").status_code == 404
    assert client.post(f"/attempts/{attempts[0]['attempt']}/end").status_code == 404
    attempts += [open_attempt(client, ALARM) for _ in range(3)]
    status_codes = [
        client.get(f"/attempts/{attempt['attempt']}").status_code for attempt in attempts
    ]
    assert status_codes == [404, 404, 404, 200, 200, 200]


def test_attempt_with_a_request_in_progress_stays_open() -> None:
    attempts = Attempts(TaskStore(errands()), most=1)
    app = tasks_app(PROTOCOL, attempts)
    task_id = errands()[ALARM].task_id
    attempt = attempts.open(task_id)
    assert attempt is not None
    for path, body in (
        ("calls/alarms__create_alarm", b'{"time": "05:05"}'),
        ("messages", b"{}"),
    ):
        url = f"/attempts/{attempt.attempt_id}/{path}"
        assert status_of_slow_request(app, url, body, lambda: attempts.open(task_id) is None) == 200
    assert attempts.open(task_id) is not None
    assert attempts.find(attempt.attempt_id) is None
    attempts.close_all()


def test_openapi_document_lists_every_route(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths) == {
        "/tasks",
        "/attempts",
        "/attempts/{attempt}",
        "/attempts/{attempt}/calls/{tool}",
        "/attempts/{attempt}/messages",
        "/attempts/{attempt}/end",
    }
    body = paths["/attempts"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["task"]


def attempt_at(index: int) -> Attempt:
    """Return an attempt at the task at an index."""
    task = errands()[index]
    return Attempt(offer_of_task(task), task)


def test_attempt_limits_messages_calls_and_turns() -> None:
    attempt = attempt_at(TWO_TURNS)
    assert attempt.say("x" * 1000, aside=True) is None
    with pytest.raises(ValueError, match="characters"):
        attempt.say("x" * (MAX_TEXT + 1), aside=True)
    with pytest.raises(ValueError, match="characters"):
        for _ in range(MAX_ALL_MESSAGES // MAX_TEXT + 1):
            attempt.say("x" * MAX_TEXT, aside=True)
    for _ in range(MAX_CALLS):
        attempt.call("fly", {})
    assert attempt.call("alarms__create_alarm", {"time": "05:20"}).refused == "unavailable"
    assert attempt.score().refused == MAX_CALLS
    attempt.say("", aside=False)
    attempt.say("", aside=False)
    with pytest.raises(ValueError, match="nothing more"):
        attempt.say("", aside=False)
    assert attempt.call("alarms__create_alarm", {"time": "05:20"}).refused == "unavailable"
    attempt.close()


def test_attempt_score_equals_the_score_of_its_calls() -> None:
    task = errands()[ALARM]
    attempt = attempt_at(ALARM)
    alarms = [("04:44", "a"), ("07:05", "market"), ("04:44", "a")]
    calls = [{"time": time, "label": label} for time, label in alarms]
    for arguments in calls:
        attempt.call("alarms__create_alarm", arguments)
    agent_run = AgentRun(tuple(RunCall("alarms.create_alarm", arguments) for arguments in calls))
    assert attempt.score() == score_of(task, attempt.offer.world, agent_run)
    attempt.close()


def test_idle_attempts_are_closed_and_scores_are_kept() -> None:
    clock = Clock()
    attempts = Attempts(TaskStore(errands()), most=2, idle=10, clock=clock)
    task_id = errands()[ALARM].task_id
    used, unused = attempts.open(task_id), attempts.open(task_id)
    assert used is not None
    assert unused is not None
    with attempts.in_use(used.attempt_id), attempts.in_use(unused.attempt_id):
        assert attempts.open(task_id) is None
    for clock.now in (4.0, 8.0, 12.0):
        assert attempts.of_agent(used.agent_key) is used
    assert attempts.find(unused.attempt_id) is None
    assert attempts.of_agent(unused.agent_key) is None
    assert attempts.end(unused.attempt_id) is None
    ended = attempts.end(used.attempt_id)
    assert ended is not None
    assert attempts.end(used.attempt_id) == ended
    assert len(attempts) == 0


def test_state_of_an_attempt_has_a_maximum_size() -> None:
    attempt = Attempt(offer_of(JARS), errands()[ALARM])
    kinds = set()
    for number in range(12):
        arguments: dict[str, Plain] = {"plum_id": f"{number}{'x' * 10**6}", "jar_id": "a"}
        kinds.add(attempt.call("jars__put_plum", arguments).refused)
    assert kinds == {None, "unavailable"}
    assert attempt.call("jars__list_jars", {}).refused is None
    assert attempt.call("jars__put_plum", {"plum_id": "p", "jar_id": "a"}).refused is None
    attempt.close()
