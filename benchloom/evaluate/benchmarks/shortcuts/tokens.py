"""Find the tokens of a value: the results, variables and needs for input that are inside it.

A need for input is a value that only the user or the device can provide.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from benchloom.core.records.values import Composed, Ref, RuntimeValue, Value
from benchloom.exchange.examples.shortcuts.values import Token

LocatedToken: TypeAlias = tuple[str, Token]
"""A location and the token there; the location has the keys of objects, but no list indices."""
_MORE, _SPARE = 2, 32


def tokens_in(value: Value, location: str = "") -> Iterator[LocatedToken]:
    """Yield the tokens (results, variables, needs for input) of a value with their locations."""
    if isinstance(value, Ref | RuntimeValue):
        yield location, value
    elif isinstance(value, Composed):
        for part in value.parts:
            if not isinstance(part, str):
                yield location, part
    elif isinstance(value, list):
        for element in value:
            yield from tokens_in(element, location)
    elif isinstance(value, dict):
        for name in sorted(value):
            yield from tokens_in(value[name], f"{location}/{name}")


def is_literal(value: Value) -> bool:
    """Whether a value contains a literal: a text that is not blank, a number or a boolean."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, Composed):
        return any(isinstance(part, str) and part.strip() for part in value.parts)
    if isinstance(value, list):
        return any(map(is_literal, value))
    if isinstance(value, dict):
        return any(map(is_literal, value.values()))
    return isinstance(value, int | float)


def same_token(gold: Token, predicted: Token) -> bool:
    """Whether two tokens (results, variables or needs for input) are equal.

    Two results are equal if they come from the same action and the same part of them is used.
    """
    if isinstance(gold, Ref):
        by_step = isinstance(predicted, Ref) and gold.step == predicted.step
        return by_step and gold.path == predicted.path
    return gold == predicted


def match_tokens(gold: Sequence[LocatedToken], predicted: Sequence[LocatedToken]) -> list[bool]:
    """Return, for each gold token, whether the predicted tokens contain it in the right order.

    Tokens are results, variables and needs for input; a gold token is right if it belongs to the
    longest common subsequence of both lists. If there are far more predicted tokens than gold
    tokens, the last ones are ignored, so that the time depends on gold alone.
    """
    predicted = predicted[: _MORE * len(gold) + _SPARE]
    hits = [[_same(gold_token, other) for other in predicted] for gold_token in gold]
    best = [[0] * (len(predicted) + 1) for _ in range(len(gold) + 1)]
    for row in range(len(gold) - 1, -1, -1):
        for column in range(len(predicted) - 1, -1, -1):
            without = max(best[row + 1][column], best[row][column + 1])
            with_match = best[row + 1][column + 1] + 1 if hits[row][column] else 0
            best[row][column] = max(without, with_match)
    match_flags = [False] * len(gold)
    row = column = 0
    while row < len(gold) and column < len(predicted):
        if hits[row][column] and best[row][column] == best[row + 1][column + 1] + 1:
            match_flags[row] = True
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return match_flags


def _same(gold: LocatedToken, predicted: LocatedToken) -> bool:
    return gold[0] == predicted[0] and same_token(gold[1], predicted[1])
