"""Attempts at served tasks, as a trainer or a harness of yours makes them: HTTP, and no import.

    benchloom world serve --tasks releases/0.1.0 --port 8700
    python examples/task_rollouts.py http://127.0.0.1:8700

An environment of a trainer has three moments, and each is one request:

- reset (`setup` of verifiers, `reset` of OpenEnv): `POST /attempts` opens a task and gives what the
  user says first and the tools as chat interfaces take them; `mcp` is the same tools for an agent
  that speaks MCP itself;
- step: `POST /attempts/ID/calls/TOOL` for a call, `POST /attempts/ID/messages` for a message
  without a call, to which the user's next turn is the answer;
- reward: `POST /attempts/ID/end`.

`Policy` is what you put your model behind; the one here says nothing, which solves no task.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

Message = dict[str, Any]
Policy = Callable[[list[Message], list[Message]], Message]
"""The next message of a model, with `content` and `tool_calls`, from messages and tools."""
MAX_STEPS = 50


def ask(method: str, url: str, body: Message | str | None = None) -> Message:
    """An answer of the server; a refused call (409) is an answer like any other.

    A text is sent as it is: what a model wrote may be no JSON, which is refused and counts.
    """
    text = body if isinstance(body, str) else json.dumps(body)
    data = None if body is None else text.encode(errors="replace")
    request = urllib.request.Request(url, data, method=method)  # noqa: S310 - the server is ours
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310 - as above
            answer: Message = json.load(reply)
    except urllib.error.HTTPError as error:
        if error.code != 409:
            raise
        answer = json.load(error)
    return answer


def task_ids(server: str) -> Iterator[str]:
    """The ids of all tasks of a server."""
    seen, count = 0, 1
    while seen < count:
        page = ask("GET", f"{server}/tasks?offset={seen}")
        yield from page["tasks"]
        seen, count = seen + len(page["tasks"]), page["count"]


def rollout(server: str, task: str, policy: Policy) -> Message:
    """One attempt, from the first turn to the score."""
    opened = ask("POST", f"{server}/attempts", {"task": task})
    attempt = f"{server}/attempts/{opened['attempt']}"
    messages: list[Message] = [
        {"role": "system", "content": opened["instructions"]},
        {"role": "user", "content": opened["user"]},
    ]
    for _ in range(MAX_STEPS):
        message = policy(messages, opened["tools"])
        messages.append(message)
        calls = message.get("tool_calls") or []
        for call in calls:
            function = call["function"]
            call_url = f"{attempt}/calls/{urllib.parse.quote(function['name'], safe='')}"
            result = ask("POST", call_url, function["arguments"])
            result_json = json.dumps(result)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result_json})
        text = message.get("content") or ""
        said = ask("POST", f"{attempt}/messages", {"text": text, "aside": bool(calls)})
        if said["over"]:
            break
        if not calls:
            messages.append({"role": "user", "content": said["user"]})
    return ask("POST", f"{attempt}/end")


def silent(messages: list[Message], tools: list[Message]) -> Message:
    """Say nothing."""
    del messages, tools
    return {"role": "assistant", "content": ""}


if __name__ == "__main__":
    scores = [rollout(sys.argv[1], task_id, silent) for task_id in task_ids(sys.argv[1])]
    earned = sum(score["reward"] for score in scores)
    print(f"{earned:g} of {len(scores)} tasks solved")  # noqa: T201  an example prints
