"""Scripted models that do tasks in worlds through the local endpoint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from benchloom.evaluate.protocol import PredictedCall, Reply
from benchloom.worlds.task import Task
from tests.support.llm.scripted import tool_call
from tests.support.llm.server import Json, LlmServer

Actor = Callable[[Task, int, int], Reply]
"""A model that replies to a task after a number of results and of user turns."""


def gold(task: Task, results: int, turns: int) -> Reply:
    """Return the next reply of a model that hears all turns, carries out the plan and answers."""
    if task.kind != "dialogue" and turns < len(task.turns):
        return Reply("And what else?")
    if results < len(task.calls):
        call = task.calls[results]
        return Reply("", (PredictedCall(call.tool.replace(".", "__"), dict(call.arguments)),))
    if task.declines:
        return Reply(task.last_words)
    return Reply("" if task.answer is None else f"It is {msgspec.json.decode(task.answer)}.")


def silent(task: Task, results: int, turns: int) -> Reply:
    """Return an empty reply."""
    del task, results, turns
    return Reply("")


def lost(task: Task, results: int, turns: int) -> Reply:
    """Return a wrong call every time, with an unknown tool or unreadable arguments."""
    del turns
    call = (task.calls or task.forbidden)[0].tool.replace(".", "__")
    wrong_calls = (
        PredictedCall("kiosks__order", {}),
        PredictedCall(call, {}, '{"time": '),
        PredictedCall(call, {"x": 1}),
    )
    return Reply("", (wrong_calls[results % 3],))


def endless(task: Task, results: int, turns: int) -> Reply:
    """Return a reply with a very long text and more calls than a run may have."""
    del results, turns
    call = (task.calls or task.forbidden)[0].tool.replace(".", "__")
    return Reply("x" * 200_000, (PredictedCall(call, {"x": 1}),) * 1200)


@dataclass
class ErrandServer(LlmServer):
    """An endpoint whose actor is chosen by the model's name; the messages identify the task."""

    tasks: Sequence[Task] = ()
    actors: dict[str, Actor] = field(default_factory=dict)

    def _reply(self, fields: Json, digest: str, fault: str | None, share: float = 1.0) -> Json:
        reply: Any = super()._reply(fields, digest, fault, share)
        messages: Any = fields["messages"]
        user_texts = [message["content"] for message in messages if message["role"] == "user"]
        results = sum(message["role"] == "tool" for message in messages)
        rules = messages[0]["content"].split("\n- ")[1:]
        task = next(
            task
            for task in self.tasks
            if user_texts == list(task.turns[: len(user_texts)])
            and rules == [rule.text for rule in task.policy]
        )
        actor_reply = self.actors[str(fields["model"])](task, results, len(user_texts))
        message = reply["choices"][0]["message"]
        message["content"] = actor_reply.text
        if actor_reply.calls:
            reply["choices"][0]["finish_reason"] = "tool_calls"
            numbered = enumerate(actor_reply.calls, start=results)
            message["tool_calls"] = [tool_call(at, call) for at, call in numbered]
        final_reply: Json = reply
        return final_reply

    def _content(self, fields: Json, fault: str | None) -> str:
        del fields, fault
        return "some twenty letters."
