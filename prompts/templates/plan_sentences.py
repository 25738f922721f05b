"""Combine the clauses of an instruction into one sentence.

A clause without a verb ("the weather of a town in Oslo") is worded as a need ("I need ..."), and
the other clauses as orders beside it.
"""

import itertools
from collections.abc import Sequence

import msgspec

from prompts.styles import Style
from prompts.templates import Choice, join

_SHAPES: dict[str, tuple[str, ...]] = {
    "terse": ("{Wish}.", "Needed: {wish}."),
    "polite": (
        "Could you please {wish}?",
        "I would be grateful if you could {wish}.",
        "Would you kindly {wish}?",
    ),
    "indirect": ("I would like you to {wish}.", "What I need is for you to {wish}."),
    "with_reason": (
        "I want to get this arranged, so please {wish}.",
        "To get everything settled, please {wish}.",
    ),
    "spoken": ("Hey, can you {wish}?", "I need you to {wish}, okay?", "Go ahead and {wish}."),
    "": (
        "Could you {wish}?",
        "Please {wish}.",
        "I would like you to {wish}.",
        "I need you to {wish}.",
        "Can you {wish}?",
        "Help me out and {wish}.",
        "It would be great if you could {wish}.",
        "What I need is for you to {wish}.",
    ),
}
_NEED, _ORDER = "I need ", "please "
"""The words before the needed things and before the orders in a sentence."""


class Clause(msgspec.Struct, frozen=True):
    """The words for one API call: an order, or the name of a thing that the user needs."""

    words: str
    is_order: bool = True


def sentence(clauses: Sequence[Clause], style: Style, choice: Choice) -> str:
    """Return the clauses as one sentence in a style."""
    shape = choice.of(_SHAPES.get(style.name, _SHAPES[""]))
    if all(clause.is_order for clause in clauses):
        wish = join([clause.words for clause in clauses])
        text = shape.format(wish=wish, Wish=wish[:1].upper() + wish[1:])
    else:
        runs = itertools.groupby(clauses, key=lambda clause: clause.is_order)
        text = ", and ".join(
            f"{_ORDER if is_order else _NEED}{join([clause.words for clause in run])}"
            for is_order, run in runs
        )
        text = f"{text[:1].upper()}{text[1:]}."
    return text[:-1] if text.endswith(("!.", "?.", "..")) else text
