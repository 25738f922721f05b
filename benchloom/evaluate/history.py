"""The history of a sample: the turns, and the calls with results, before its requested call."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from benchloom.evaluate.benchmark import Sample
from benchloom.exchange.examples import Example, Turn
from benchloom.exchange.examples.conversation import SpokenMessage, result_text
from benchloom.exchange.examples.dialogues import is_from_user

CALL, RESPONSE = "call", "response"
"""Aspects of samples: predict the call, or the first turn, at the position."""
UNTOLD = "done"  # written for an unknown result


class Called(msgspec.Struct, frozen=True):
    """An earlier call in a history: call `number` of the example, with its result as text."""

    number: int
    result: str


Entry: TypeAlias = SpokenMessage | Called


def history(sample: Sample) -> Iterator[Entry]:
    """Yield the turns and calls before a sample's position, beginning with the request."""
    example, at = sample.example, sample.position or 0
    turns = _turns(example)
    for number in range(at + 1):
        if number < at or sample.aspect != RESPONSE:
            before = (turn for turn in turns if turn.before == number)
            yield from (SpokenMessage(turn.role, turn.text) for turn in before)
        if number < at:
            result = example.calls[number].result
            yield Called(number, UNTOLD if result is None else result_text(result))


def _turns(example: Example) -> Sequence[Turn]:
    turns = sorted(example.turns, key=lambda turn: turn.before)
    if example.request is None or is_from_user(turns, example.request):
        return turns
    return [Turn("user", example.request, 0), *turns]
