"""The history of a sample: the turns, and the calls with results, before its requested call."""

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from benchloom.evaluate.benchmark import Sample
from benchloom.exchange.examples.conversation import (
    SpokenMessage,
    result_text,
    turns_with_request,
)

CALL, RESPONSE = "call", "response"
"""Aspects of samples: predict the call, or the first turn, at the position."""
UNKNOWN_RESULT = "done"


class Called(msgspec.Struct, frozen=True):
    """An earlier call in a history: call `number` of the example, with its result as text."""

    number: int
    result: str


Entry: TypeAlias = SpokenMessage | Called


def history(sample: Sample) -> Iterator[Entry]:
    """Yield the turns and calls before a sample's position, beginning with the request."""
    example, at = sample.example, sample.position or 0
    turns = turns_with_request(example)
    for number in range(at + 1):
        if number < at or sample.aspect != RESPONSE:
            before = (turn for turn in turns if turn.before == number)
            yield from (SpokenMessage(turn.role, turn.text) for turn in before)
        if number < at:
            result = example.calls[number].result
            yield Called(number, UNKNOWN_RESULT if result is None else result_text(result))
