"""Convert an example to a conversation, which is a sequence of messages, calls and results.

An example without calls ends with a turn of the assistant, whose text is empty if the example has
no such turn. A recorded result directly follows its call, and messages between calls keep their
positions. Adjacent calls without a recorded result become one message with several calls, because
nothing shows that the model saw one result before the next call. If the conversation continues
after such calls, empty results are inserted, because only the last calls of a conversation may lack
results.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from benchloom.core.records.values import MAX_DEPTH, depth_of, rendered
from benchloom.exchange.examples.call_messages import read_references, reference_text
from benchloom.exchange.examples.dialogues import is_from_user
from benchloom.exchange.examples.example import Example, Loss, Result, Role, Turn

_ENCODER = msgspec.json.Encoder(order="deterministic")
_FAILED = frozenset({"exception", "output"})
LOSSES = {
    "outcome": "The outcome of a call (failed, retried, superseded) is not written.",
    "answer": "The final answer of the example is not written.",
    "result_input": "The arguments as the tool understood them are not written.",
    "unknown_result": "Messages follow a call without a result, so an empty result is written.",
}


class SpokenMessage(msgspec.Struct, frozen=True):
    """A text message in a conversation, with the role of its speaker."""

    role: Role
    text: str


class CallMessage(msgspec.Struct, frozen=True):
    """A message that makes calls, with the indices of the calls in the example, and its text."""

    calls: tuple[int, ...]
    text: str = ""


class Answered(msgspec.Struct, frozen=True):
    """The result of a call in a conversation, as a text that is empty if no result is recorded."""

    call: int
    text: str


Entry: TypeAlias = SpokenMessage | CallMessage | Answered


def conversation(example: Example) -> tuple[tuple[Entry, ...], tuple[Loss, ...]]:
    """Convert an example to a conversation; also return the data that the conversation lacks."""
    entries: list[Entry] = []
    losses: list[Loss] = []
    turns = turns_with_request(example)
    at = 0
    waiting: list[int] = []
    for index, call in enumerate(example.calls):
        spoken_turns = [turn for turn in turns[at:] if turn.before <= index]
        if spoken_turns and waiting:
            _answer(entries, waiting, example, losses)
        entries += [SpokenMessage(turn.role, turn.text) for turn in spoken_turns]
        at += len(spoken_turns)
        if not waiting:
            # A text of the assistant directly before calls belongs to the message with the calls.
            before = entries.pop() if entries and _is_assistant(entries[-1]) else None
            entries.append(
                CallMessage((), before.text if isinstance(before, SpokenMessage) else "")
            )
        waiting.append(index)
        if call.result is not None:
            _answer(entries, waiting, example, losses)
        if call.outcome != "ok" and (call.result is None or call.result.exception is None):
            losses.append(Loss("outcome", f"call {index}"))
    closing = turns[at:]
    if waiting:
        if closing:
            _answer(entries, waiting, example, losses)
        else:
            entries[-1] = _call_message(entries[-1], waiting)
    entries += [SpokenMessage(turn.role, turn.text) for turn in closing]
    if not example.calls and not (entries and _is_assistant(entries[-1])):
        entries.append(SpokenMessage("assistant", ""))  # the right answer calls nothing
    if example.answer is not msgspec.UNSET:
        losses.append(Loss("answer", f"after call {len(example.calls) - 1}"))
    return tuple(entries), tuple(losses)


def _answer(entries: list[Entry], waiting: list[int], example: Example, losses: list[Loss]) -> None:
    entries[-1] = _call_message(entries[-1], waiting)
    for index in waiting:
        result = example.calls[index].result
        if result is None:
            losses.append(Loss("unknown_result", f"call {index}"))
        elif result.input is not None:
            losses.append(Loss("result_input", f"call {index}"))
        entries.append(Answered(index, "" if result is None else result_text(result)))
    waiting.clear()


def _is_assistant(entry: Entry) -> bool:
    return isinstance(entry, SpokenMessage) and entry.role == "assistant"


def _call_message(entry: Entry, calls: Sequence[int]) -> CallMessage:
    return CallMessage(tuple(calls), entry.text)


def turns_with_request(example: Example) -> Sequence[Turn]:
    """Return the turns of an example in order; add the request if no user turn contains it."""
    turns = sorted(example.turns, key=lambda turn: turn.before)
    request_text = example.request
    if request_text is None or is_from_user(turns, request_text):
        return turns
    first = next((index for index, turn in enumerate(turns) if turn.role != "system"), len(turns))
    return [*turns[:first], Turn("user", request_text, 0), *turns[first:]]


def result_text(result: Result) -> str:
    """Return a result as JSON, or unchanged if it is a text that cannot be mistaken for JSON."""
    output = rendered(result.output, reference_text)
    if result.exception is not None or (isinstance(output, dict) and output.keys() == _FAILED):
        return _ENCODER.encode({"exception": result.exception, "output": output}).decode()
    if isinstance(output, str) and output and not _is_json(output):
        return output
    return _ENCODER.encode(output).decode()


def result_of(text: str) -> Result | None:
    """Convert a text that `result_text` wrote back to a result; an empty text means None.

    JSON that is nested too deeply remains a text.
    """
    if not text:
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return Result(text)
    if depth_of(value) > MAX_DEPTH:
        return Result(text)
    if isinstance(value, dict) and value.keys() == _FAILED:
        exception = value["exception"]
        if exception is None or isinstance(exception, str):
            return Result(value["output"], exception)
    return Result(value)


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def read_result(text: str, calls: int) -> Result | None:
    """Convert a text to a result in which texts such as `$call_0.id$` become references.

    `calls` is the number of calls in the example. Returns None if the text is empty.
    """
    result = result_of(text)
    if result is None:
        return None
    return Result(read_references(rendered(result.output, reference_text), calls), result.exception)


def turns_of(entries: Iterable[Entry]) -> Iterator[Turn]:
    """Yield the text messages of a conversation as turns, each with the index of the next call."""
    before = 0
    for entry in entries:
        if isinstance(entry, SpokenMessage):
            yield Turn(entry.role, entry.text, before)
        elif isinstance(entry, CallMessage):
            if entry.text:
                yield Turn("assistant", entry.text, before)
            before += len(entry.calls)
