"""Scripted models that do tasks in worlds behind the local endpoint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from benchloom.evaluate.protocol import PredictedCall, Reply
from benchloom.worlds.task import Task
from tests.support.llm.scripted import called
from tests.support.llm.server import Json, LlmServer

Actor = Callable[[Task, int, int], Reply]
"""Next reply of a model, from the task and the numbers of results and user turns so far."""


def gold(task: Task, results: int, turns: int) -> Reply:
    """Wait for all turns of the user, make the calls of the plan one by one, and say the answer."""
    if task.kind != "dialogue" and turns < len(task.turns):
        return Reply("And what else?")
    if results < len(task.calls):
        call = task.calls[results]
        return Reply("", (PredictedCall(call.tool.replace(".", "__"), dict(call.arguments)),))
    if task.declines:
        return Reply(task.last_words)
    return Reply("" if task.answer is None else f"It is {msgspec.json.decode(task.answer)}.")


def silent(task: Task, results: int, turns: int) -> Reply:
    """Say nothing and do nothing."""
    del task, results, turns
    return Reply("")


def lost(task: Task, results: int, turns: int) -> Reply:
    """Make wrong calls without end: unknown tools and unreadable arguments."""
    del turns
    call = (task.calls or task.forbidden)[0].tool.replace(".", "__")
    wrong_calls = (
        PredictedCall("kiosks__order", {}),
        PredictedCall(call, {}, '{"time": '),
        PredictedCall(call, {"x": 1}),
    )
    return Reply("", (wrong_calls[results % 3],))


def endless(task: Task, results: int, turns: int) -> Reply:
    """Make more calls in a reply than a run may have, with a very long text."""
    del results, turns
    call = (task.calls or task.forbidden)[0].tool.replace(".", "__")
    return Reply("x" * 200_000, (PredictedCall(call, {"x": 1}),) * 1200)


@dataclass
class ErrandServer(LlmServer):
    """Replies by the name of the model; instructions and words of the user identify the task."""

    tasks: Sequence[Task] = ()
    actors: dict[str, Actor] = field(default_factory=dict)

    def _reply(self, fields: Json, digest: str, fault: str | None, share: float = 1.0) -> Json:
        reply: Any = super()._reply(fields, digest, fault, share)
        messages: Any = fields["messages"]
        said = [
            sent_message["content"] for sent_message in messages if sent_message["role"] == "user"
        ]
        results = sum(sent_message["role"] == "tool" for sent_message in messages)
        rules = messages[0]["content"].split("\n- ")[1:]
        task = next(
            task
            for task in self.tasks
            if said == list(task.turns[: len(said)])
            and rules == [rule.text for rule in task.policy]
        )
        answer = self.actors[str(fields["model"])](task, results, len(said))
        message = reply["choices"][0]["message"]
        message["content"] = answer.text
        if answer.calls:
            reply["choices"][0]["finish_reason"] = "tool_calls"
            numbered = enumerate(answer.calls, start=results)
            message["tool_calls"] = [called(at, call) for at, call in numbered]
        final_reply: Json = reply
        return final_reply

    def _content(self, fields: Json, fault: str | None) -> str:
        del fields, fault
        return "some twenty letters."
