"""Find the parts of an example that API-Bank's files cannot store."""

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from benchloom.core.records.values import Plain, refs_in
from benchloom.exchange.examples import Call, Example, Loss, Result
from benchloom.exchange.examples.dialogues import is_from_user
from benchloom.exchange.examples.filled_references import lacks_value
from benchloom.exchange.formats.api_bank.declared import definition_of, keeps, tool_of, tools_in
from benchloom.exchange.formats.api_bank.plans import is_plan
from benchloom.exchange.formats.api_bank.tools import SEARCH

LOSSES = {
    "reference": "a reference is replaced by its recorded value",
    "untold_value": "the value of a reference is unknown, so the name of its output is written",
    "repeated_argument": "if two arguments have the same name, only the last is written",
    "outcome": "the outcome of a retried or superseded call is not written",
    "untold_failure": "a failed call whose result is not recorded gets the exception `no result`",
    "empty_result": "an empty result is read back as a missing result",
    "offered_tools": "tools that no call uses are in the table of APIs, not in a dialogue",
    "definition": "limits, values, defaults and titles of a tool are not written",
    "name": "a dot in the name of an API is read as the end of its app's name",
    "answer": "the final answer of the example is not written",
    "no_request": "an example without a request has an empty requirement",
    "request": "a request that differs from the user's words in the dialogue is not written",
    "system_turn": "a system message is not written",
    "turn_place": "a turn whose position is after the last call is written at the end",
    "oddity": "tolerated faults of the source are not written",
    "source_id": "an id that is not a valid file name, or occurs twice, is replaced",
    "split": "a split that is not a valid folder name is not written",
}


def losses_of(example: Example, *, offered: bool = True) -> tuple[Loss, ...]:
    """Return the parts of an example that API-Bank's files cannot store.

    If `offered` is true, tools that no call uses are counted as lost.
    """
    return tuple(dict.fromkeys(_losses(example, offered=offered)))


def _losses(example: Example, *, offered: bool) -> Iterator[Loss]:
    for number, call in enumerate(example.calls):
        yield from _of_call(call, f"calls/{number}", example.calls)
    for definition in example.definitions:
        if not keeps(definition, tool_of(definition)):
            yield Loss("definition", f"definitions/{definition.api}")
    if offered:
        yield from _of_tools(example)
    if example.answer is not msgspec.UNSET:
        yield Loss("answer", "answer")
    if is_plan(example):
        if not example.request:
            yield Loss("no_request", "request")
    elif example.request is not None and not is_from_user(example.turns, example.request):
        yield Loss("request", "request")
    calls = len(example.calls)
    for number, turn in enumerate(example.turns):
        if turn.role == "system":
            yield Loss("system_turn", f"turns/{number}")
        if not 0 <= turn.before <= calls:
            yield Loss("turn_place", f"turns/{number}")
    if example.oddities:
        yield Loss("oddity", "oddities")


def _of_tools(example: Example) -> Iterator[Loss]:
    used = {call.definition_id for call in example.calls}
    searched_ids = {
        definition_of(tool, "").definition_id
        for call in example.calls
        if call.api == SEARCH and call.result is not None
        for tool in tools_in(cast("Plain", call.result.output))
    }
    available_ids = used | searched_ids
    for definition in example.definitions:
        if definition.definition_id not in available_ids:
            yield Loss("offered_tools", f"definitions/{definition.api}")


def _of_call(call: Call, location: str, calls: Sequence[Call]) -> Iterator[Loss]:
    if "." in call.api or (call.app and "." in call.app):
        yield Loss("name", location)
    if call.outcome in {"retried", "superseded"}:
        yield Loss("outcome", location)
    if call.outcome in {"failed", "retried"} and call.result is None:
        yield Loss("untold_failure", location)
    if call.result == Result(None):
        yield Loss("empty_result", location)
    names = [argument.name for argument in call.arguments]
    if len(set(names)) < len(names):
        yield Loss("repeated_argument", location)
    for argument in call.arguments:
        if next(refs_in(argument.value), None) is not None:
            kind = "untold_value" if lacks_value(argument, calls) else "reference"
            yield Loss(kind, f"{location}/arguments/{argument.name}")
