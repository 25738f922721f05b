"""Read and write dialogue files of API-Bank, in which each line is a turn or a call.

The line of a call also contains its result.
"""

from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Rejected
from benchloom.core.records.values import Plain, rendered
from benchloom.exchange.examples import Call, Example
from benchloom.exchange.examples.call_messages import reference_text
from benchloom.exchange.examples.example import Role
from benchloom.exchange.examples.filled_references import plain_arguments
from benchloom.exchange.foreign.records import Record
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.talks import ABSENT, Talk

_ROLES: dict[str, Role] = {"user": "user", "ai": "assistant"}
_NAMES: dict[Role, str] = {"user": "User", "assistant": "AI"}
_ENCODER = msgspec.json.Encoder()
NO_RESULT = "no result"  # the exception of a failed call whose result is not recorded


class Line(msgspec.Struct, frozen=True):
    """A line of a dialogue file to read, which is a turn with its text, or a call."""

    role: str
    text: str | None = None
    api_name: str | None = None
    param_dict: dict[str, msgspec.Raw] | None = None
    result: msgspec.Raw = ABSENT


class _TurnLine(msgspec.Struct, frozen=True):
    role: str
    text: str


class Recorded(msgspec.Struct, frozen=True):
    """The result of a call in the wrapper that API-Bank uses.

    `input` contains the arguments as the tool understood them.
    """

    api_name: str
    input: Plain
    output: Plain
    exception: str | None


class CallLine(msgspec.Struct, frozen=True):
    """A line to write that contains a call; `result` is null if no result is recorded."""

    role: str
    api_name: str
    param_dict: dict[str, Plain]
    result: Recorded | None


_LINE = msgspec.json.Decoder(Line)


def read_talk(records: Iterator[Record], rejected: list[Rejected]) -> Talk:
    """Build a dialogue from the lines of a file.

    Each damaged line is added to `rejected`, and is a fault of the dialogue.
    """
    talk = Talk()
    for record in records:
        try:
            _take(talk, record.decoded(_LINE))
        except RejectedInputError as error:
            rejected.append(record.rejected(error))
            talk.find("damaged_line", f"{record.location}: {error.reason}")
    return talk


def _take(talk: Talk, line: Line) -> None:
    role = _ROLES.get(line.role.casefold())
    if role is not None:
        if line.text is None:
            raise RejectedInputError("wrong_shape", "a turn has no text")
        talk.say(role, line.text)
    elif line.role.casefold() == "api":
        if not line.api_name or line.param_dict is None:
            raise RejectedInputError("wrong_shape", "a call has no name or no arguments")
        talk.record(line.api_name, line.param_dict, line.result)
    else:
        raise RejectedInputError("wrong_shape", f"unknown role: {line.role[:40]}")


def dialogue_lines(example: Example) -> bytes:
    """Write an example as the lines of a dialogue file."""
    lines: list[_TurnLine | CallLine] = []
    calls = example.calls
    turns_by_call: dict[int, list[_TurnLine]] = {}
    for turn in example.turns:
        if turn.role in _NAMES:
            position = min(max(turn.before, 0), len(calls))
            turns_by_call.setdefault(position, []).append(_TurnLine(_NAMES[turn.role], turn.text))
    for number in range(len(calls) + 1):
        lines += turns_by_call.get(number, ())
        lines += [_call(call, calls) for call in calls[number : number + 1]]
    return b"".join(_ENCODER.encode(line) + b"\n" for line in lines)


def _call(call: Call, calls: Sequence[Call]) -> CallLine:
    name = call_name(call.app, call.api)
    return CallLine("API", name, plain_arguments(call, calls), result_record(name, call))


def result_record(name: str, call: Call) -> Recorded | None:
    """Return the recorded result of a call, or an error if the call failed without a result.

    Returns None if the call succeeded and no result is recorded.
    """
    if call.result is not None:
        result = call.result
        return Recorded(
            name,
            rendered(result.input, reference_text),
            rendered(result.output, reference_text),
            result.exception,
        )
    if call.outcome in {"failed", "retried"}:
        return Recorded(name, None, None, NO_RESULT)
    return None
