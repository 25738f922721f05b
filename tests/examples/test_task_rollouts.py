"""Attempts at tasks of a running server, by the recipe and by the protocol's own client."""

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
from tests.support.samples.errands import errands, written
from tests.support.samples.tasks_of_suites import tasks_of_suites

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of all tasks; it is interrupted at the end, and says one line."""
    tasks = written(tmp_path_factory.mktemp("tasks") / "tasks.jsonl", tasks_of_suites())
    words = ["world", "serve", "--tasks", str(tasks), "--port", "0", "--clients", "3", "--json"]
    with serving(*words) as command:
        server_status: Any = msgspec.json.decode(command.first_line)
        assert server_status["tasks"] == len(tasks_of_suites())
        yield server_status["address"].removesuffix("/attempts")
    assert (command.returncode, command.stdout) == (0, "")
    assert len(command.stderr.splitlines()) == 1


def gold(messages: list[Message], tools: list[Message]) -> Message:
    """Hear the user out, make the calls of the plan, tell the answer."""
    said = [message["content"] for message in messages if message["role"] == "user"]
    rules = [line for line in messages[0]["content"].splitlines() if line.startswith("- ")]
    (task,) = [
        suite_task
        for suite_task in tasks_of_suites()
        if suite_task.turns[0] == said[0]
        and [f"- {rule.text}" for rule in suite_task.policy] == rules
    ]
    done = sum(message["role"] == "tool" for message in messages)
    if task.kind == "request" and len(said) < len(task.turns):
        return {"role": "assistant", "content": "And?"}
    if task.declines:
        return {"role": "assistant", "content": task.last_words}
    if done == len(task.calls):
        return {"role": "assistant", "content": f"It is {task.answer}."}
    call = task.calls[done]
    name = call.tool.replace(".", "__")
    assert name in {tool["function"]["name"] for tool in tools}
    return {"role": "assistant", "content": None, "tool_calls": [called(name, call.arguments)]}


def broken(messages: list[Message], tools: list[Message]) -> Message:
    """Call what is not there, with arguments that nobody can read."""
    del messages, tools
    calls = [called("no such/tool?", {}), called("alarms__create_alarm", "{")]
    return {"role": "assistant", "content": "Wait.", "tool_calls": calls}


def called(name: str, arguments: object) -> Message:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": "1", "type": "function", "function": {"name": name, "arguments": text}}


def test_the_recipe_runs_every_task(server: str) -> None:
    tasks = list(task_ids(server))
    assert tasks == [task.task_id for task in tasks_of_suites()]
    assert {rollout(server, task_id, gold)["reward"] for task_id in tasks} == {1}
    assert {rollout(server, task_id, silent)["reward"] for task_id in tasks} == {0}
    outcome = rollout(server, tasks[0], broken)
    assert (outcome["reward"], outcome["refused"], outcome["calls"]) == (0, 100, 100)


def opened(server: str, task: Task) -> Mapping[str, str]:
    attempt: Mapping[str, str] = httpx.post(
        f"{server}/attempts", json={"task": task.task_id}
    ).json()
    return attempt


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_agents_speak_mcp_to_attempts_of_their_own(server: str, mode: Any) -> None:
    task = errands()[0]
    first_attempt, other = opened(server, task), opened(server, task)

    async def talk() -> None:
        (call,) = task.calls
        name = call.tool.replace(".", "__")
        async with (
            Client(first_attempt["mcp"], mode=mode) as mine,
            Client(other["mcp"], mode=mode) as theirs,
        ):
            listed = {tool.name for tool in (await theirs.list_tools()).tools}
            assert listed == {tool.replace(".", "__") for tool in task.tools}
            call_result = await mine.call_tool(name, dict(call.arguments))
            assert not call_result.is_error
            assert (await mine.call_tool(name, dict(call.arguments))).is_error

    asyncio.run(talk())
    scores = [
        httpx.post(f"{server}/attempts/{each['attempt']}/end").json()
        for each in (first_attempt, other)
    ]
    assert [score["digest"] for score in scores] == [True, False]
    assert [score["calls"] for score in scores] == [2, 0]
    gone = httpx.post(first_attempt["mcp"], json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (gone.status_code, gone.json()["refused"]) == (404, "unavailable")


def test_pages_of_others_and_endless_bodies_are_refused(server: str) -> None:
    headers = {"host": "pages.example"}
    assert httpx.get(f"{server}/tasks", headers=headers).status_code == 421
    assert httpx.post(f"{server}/attempts", content=b"x" * 5_000_000).status_code == 413


def test_many_tasks_need_a_port(tmp_path: Path) -> None:
    tasks = written(tmp_path / "tasks.jsonl")
    done = benchloom("world", "serve", "--tasks", tasks)
    assert done.returncode == 2
    assert "--port" in done.stderr
