"""The format of tau2-bench's tasks: the user's goal, and the actions that the agent should take.

The tools of a domain are Python code, so no file of tasks contains them; pass them with
`--definitions`. Actions on the user's own device have the app `user`.
"""

import re
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.conversation import SpokenMessage
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    example_of_messages,
)
from benchloom.exchange.formats.records import RecordReading

_SCENARIO = re.compile(rb'"user_scenario"\s*:')
_CRITERIA = re.compile(rb'"evaluation_criteria"\s*:')


class _Action(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, Any] | None = None
    requestor: str = "assistant"


class _Criteria(msgspec.Struct, frozen=True):
    actions: list[_Action] | None = None


class _Instructions(msgspec.Struct, frozen=True):
    reason_for_call: str | None = None
    known_info: str | None = None
    unknown_info: str | None = None
    task_instructions: str | None = None


class _Scenario(msgspec.Struct, frozen=True):
    instructions: str | _Instructions


class _Task(msgspec.Struct, frozen=True):
    user_scenario: _Scenario
    evaluation_criteria: _Criteria | None = None


class _Tau2(RecordReading):
    title = "tau2-bench's tasks, with the expected actions"
    source = "tau2"

    def recognises(self, name: str, head: bytes) -> bool:
        return bool(_SCENARIO.search(head) and _CRITERIA.search(head))

    def example(self, record: Any, location: ExampleOrigin) -> Example:
        task = msgspec.convert(record, _Task)
        actions = task.evaluation_criteria.actions if task.evaluation_criteria else None
        if not actions:
            raise RejectedInputError(
                "no_calls", "the task expects no action, and no file contains its tools"
            )
        calls = tuple(
            ForeignCall(
                action.name
                if action.requestor == "assistant"
                else f"{action.requestor}__{action.name}",
                action.arguments or {},
            )
            for action in actions
        )
        request = SpokenMessage("user", _request(task.user_scenario.instructions))
        return example_of_messages(location, [request, ForeignCalls(calls)], ())


def _request(instructions: str | _Instructions) -> str:
    if isinstance(instructions, str):
        return instructions
    parts = (
        instructions.reason_for_call,
        instructions.known_info,
        instructions.unknown_info,
        instructions.task_instructions,
    )
    return "\n".join(part.strip() for part in parts if part and part.strip())


FORMAT = _Tau2()
