"""Tests of attempts at a running server, with the recipe and with the client of the protocol."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from mcp import Client

from benchloom.worlds.task import Task
from examples.task_rollouts import Message, rollout, silent, task_ids
from tests.support.commands import benchloom, serving
from tests.support.samples.errands import errands, write_tasks
from tests.support.samples.tasks_of_suites import tasks_of_suites

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve all tasks and yield the address; check that the interrupted command prints one line."""
    tasks = write_tasks(tmp_path_factory.mktemp("tasks") / "tasks.jsonl", tasks_of_suites())
    words = ["world", "serve", "--tasks", str(tasks), "--port", "0", "--clients", "3", "--json"]
    with serving(*words) as command:
        server_status: Any = msgspec.json.decode(command.first_line)
        assert server_status["tasks"] == len(tasks_of_suites())
        yield server_status["address"].removesuffix("/attempts")
    assert (command.returncode, command.stdout) == (0, "")
    assert len(command.stderr.splitlines()) == 1


def gold(messages: list[Message], tools: list[Message]) -> Message:
    """Return the next message of a model that hears the user out and carries out the plan."""
    user_texts = [message["content"] for message in messages if message["role"] == "user"]
    rules = [line for line in messages[0]["content"].splitlines() if line.startswith("- ")]
    (task,) = [
        suite_task
        for suite_task in tasks_of_suites()
        if suite_task.turns[0] == user_texts[0]
        and [f"- {rule.text}" for rule in suite_task.policy] == rules
    ]
    result_count = sum(message["role"] == "tool" for message in messages)
    if task.kind == "request" and len(user_texts) < len(task.turns):
        return {"role": "assistant", "content": "And?"}
    if task.declines:
        return {"role": "assistant", "content": task.last_words}
    if result_count == len(task.calls):
        return {"role": "assistant", "content": f"It is {task.answer}."}
    call = task.calls[result_count]
    name = call.tool.replace(".", "__")
    assert name in {tool["function"]["name"] for tool in tools}
    return {"role": "assistant", "content": None, "tool_calls": [tool_call(name, call.arguments)]}


def broken(messages: list[Message], tools: list[Message]) -> Message:
    """Return a message with a call of an unknown tool and a call with unreadable arguments."""
    del messages, tools
    calls = [tool_call("no such/tool?", {}), tool_call("alarms__create_alarm", "{")]
    return {"role": "assistant", "content": "Wait.", "tool_calls": calls}


def tool_call(name: str, arguments: object) -> Message:
    """Return a call in the wire format."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": "1", "type": "function", "function": {"name": name, "arguments": text}}


def test_recipe_runs_every_task(server: str) -> None:
    tasks = list(task_ids(server))
    assert tasks == [task.task_id for task in tasks_of_suites()]
    assert {rollout(server, task_id, gold)["reward"] for task_id in tasks} == {1}
    assert {rollout(server, task_id, silent)["reward"] for task_id in tasks} == {0}
    outcome = rollout(server, tasks[0], broken)
    assert (outcome["reward"], outcome["refused"], outcome["calls"]) == (0, 100, 100)


def open_attempt(server: str, task: Task) -> Mapping[str, str]:
    """Open an attempt at a task and return its description."""
    attempt: Mapping[str, str] = httpx.post(
        f"{server}/attempts", json={"task": task.task_id}
    ).json()
    return attempt


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_mcp_client_acts_only_on_its_own_attempt(server: str, mode: Any) -> None:
    task = errands()[0]
    first_attempt, second_attempt = open_attempt(server, task), open_attempt(server, task)

    async def call_tools() -> None:
        (call,) = task.calls
        name = call.tool.replace(".", "__")
        async with (
            Client(first_attempt["mcp"], mode=mode) as first_client,
            Client(second_attempt["mcp"], mode=mode) as second_client,
        ):
            tool_names = {tool.name for tool in (await second_client.list_tools()).tools}
            assert tool_names == {tool.replace(".", "__") for tool in task.tools}
            call_result = await first_client.call_tool(name, dict(call.arguments))
            assert not call_result.is_error
            assert (await first_client.call_tool(name, dict(call.arguments))).is_error

    asyncio.run(call_tools())
    scores = [
        httpx.post(f"{server}/attempts/{attempt['attempt']}/end").json()
        for attempt in (first_attempt, second_attempt)
    ]
    assert [score["digest"] for score in scores] == [True, False]
    assert [score["calls"] for score in scores] == [2, 0]
    response = httpx.post(first_attempt["mcp"], json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (response.status_code, response.json()["refused"]) == (404, "unavailable")


def test_foreign_hosts_and_oversized_bodies_are_refused(server: str) -> None:
    headers = {"host": "pages.example"}
    assert httpx.get(f"{server}/tasks", headers=headers).status_code == 421
    assert httpx.post(f"{server}/attempts", content=b"x" * 5_000_000).status_code == 413


def test_several_tasks_need_a_port(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "tasks.jsonl")
    completed = benchloom("world", "serve", "--tasks", tasks)
    assert completed.returncode == 2
    assert "--port" in completed.stderr
