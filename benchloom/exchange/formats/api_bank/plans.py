"""Read and write API-Bank's records of level 3: a request, its calls, and the response.

benchloom adds `sample_id` and `split`, which the published file lacks.
"""

from collections.abc import Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.exchange.examples import Call as ExampleCall
from benchloom.exchange.examples import Example, Turn
from benchloom.exchange.examples.filled_references import plain_arguments
from benchloom.exchange.foreign.records import Record as Entry
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.lines import Recorded, result_record
from benchloom.exchange.formats.api_bank.talks import ABSENT, Talk


class Call(msgspec.Struct, frozen=True):
    """An API call in a level 3 record to write, with its recorded output."""

    api_name: str
    input: dict[str, Plain]
    output: Recorded


class Record(msgspec.Struct, frozen=True):
    """A level 3 record to write, which is a request with the calls that fulfil it."""

    sample_id: str
    split: str
    requirement: str
    response: str
    apis: list[Call]


class _ReadCall(msgspec.Struct, frozen=True):
    api_name: str
    input: dict[str, msgspec.Raw]
    output: msgspec.Raw = ABSENT


class ReadRecord(msgspec.Struct, frozen=True):
    """A level 3 record to read, which may lack optional fields."""

    apis: list[_ReadCall]
    requirement: str = ""
    response: str = ""
    sample_id: str | int | None = None
    split: str | None = None


_RECORD = msgspec.json.Decoder(ReadRecord)


def read_plan(entry: Entry) -> tuple[Talk, ReadRecord]:
    """Convert a level 3 record to a dialogue of the request, the calls and the response.

    Raises RejectedInputError if the record has another shape, or is nested too deeply.
    """
    record = entry.decoded(_RECORD)
    talk = Talk()
    if record.requirement:
        talk.say("user", record.requirement)
    for call in record.apis:
        if not call.api_name:
            raise RejectedInputError("wrong_shape", "a call has no name")
        talk.record(call.api_name, call.input, call.output, empty_is_none=True)
    if record.response:
        talk.say("assistant", record.response)
    return talk, record


def is_plan(example: Example) -> bool:
    """Whether a level 3 record can store all turns: at most a request and a last answer."""
    turns = [turn for turn in example.turns if turn.role != "system"]
    if any(not turn.text for turn in turns):
        return False
    if turns and turns[0] == Turn("user", example.request or "", 0):
        turns.pop(0)
    elif turns and example.request:
        return False
    return not turns or turns == [Turn("assistant", turns[0].text, len(example.calls))]


def record_of(example: Example) -> Record:
    """Convert an example to a level 3 record with its request, its calls and its last answer."""
    answers = [turn.text for turn in example.turns if turn.role == "assistant"]
    return Record(
        example.source_id,
        example.split,
        example.request or "",
        answers[-1] if answers else "",
        [_call(call, example.calls) for call in example.calls],
    )


def _call(call: ExampleCall, calls: Sequence[ExampleCall]) -> Call:
    name = call_name(call.app, call.api)
    result = result_record(name, call) or Recorded(name, None, None, None)
    return Call(name, plain_arguments(call, calls), result)
