"""Vary the value of an argument, to test whether the argument affects the result of a plan."""

from collections.abc import Iterator, Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs.leaves import Scalar, key_of, leaves, put
from benchloom.worlds.proofs.parameters import Parameter
from benchloom.worlds.session import Outcome

_MOST = 2
_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def other_values(
    name: str, value: Plain, parameter: Parameter, outcomes: Sequence[Outcome]
) -> list[Plain]:
    """Return at most two other values of the same type for an argument.

    A boolean is negated. A number becomes 1 larger and 1 smaller. An enumerated value becomes
    another of the allowed values. An id becomes another id from the plan's results, which is there
    in a field with the name of the argument. In any other text the last or the first letter or
    digit changes, so that a date remains a date. In a list or an object the first nested value
    changes. The second variant of a list lacks the last entry.
    """
    first_leaf = next(leaves(value), None)
    if first_leaf is None:
        return []
    path, leaf = first_leaf
    variants: list[Plain] = [
        put(value, path, other_leaf)
        for other_leaf in _other_values(name, leaf, parameter, outcomes)
    ]
    if isinstance(value, list):
        variants = [*variants[:1], value[:-1]]
    return variants[:_MOST]


def _other_values(
    name: str, leaf: Scalar, parameter: Parameter, outcomes: Sequence[Outcome]
) -> Iterator[Scalar]:
    if isinstance(leaf, bool):
        yield not leaf
    elif isinstance(leaf, int | float):
        yield from (leaf + 1, leaf - 1)
    elif leaf in parameter.values:
        yield from (listed_value for listed_value in parameter.values if listed_value != leaf)
    else:
        yield from _other_ids(name, leaf, outcomes)
        yield from _misspelt(leaf)


def _other_ids(name: str, leaf: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    if not name.endswith("_id"):
        return
    for outcome in outcomes:
        for path, value in leaves(outcome.result):
            if (
                path
                and path[-1] == name
                and isinstance(value, str)
                and key_of(value) != key_of(leaf)
            ):
                yield value
                return


def _misspelt(text: str) -> Iterator[str]:
    positions = [
        n for n, sign in enumerate(text) if sign.lower() in _DIGITS or sign.lower() in _LETTERS
    ]
    if not positions:
        yield text + "x"
        return
    for position in dict.fromkeys((positions[-1], positions[0])):
        yield text[:position] + _next(text[position]) + text[position + 1 :]


def _next(sign: str) -> str:
    row = _DIGITS if sign in _DIGITS else _LETTERS if sign in _LETTERS else _LETTERS.upper()
    return row[(row.index(sign) + 1) % len(row)]
