"""Join the instructions of a user into one request, or word them as turns of a conversation."""

import re
from collections.abc import Sequence

from benchloom.worlds.requests.dice import Dice

_OPENINGS = (
    "Please {}",
    "Could you {}",
    "I need you to {}",
    "{}",
    "Hi, please {}",
    "Can you {}",
    "Would you {}",
    "I would like you to {}",
    "When you have a moment, {}",
)
_NEXT = (
    "Thanks. Please {}",
    "Great, now {}",
    "Next, {}",
    "Could you also {}",
    "And then {}",
    "One more thing: {}",
)
_INSTEAD = ("Then {}", "In that case, {}", "OK, {}")
_CONDITION = re.compile(r"^if [^,]+, ")
_LISTS = (
    "Here is what I need today:",
    "These are my errands for today, please see to all of them:",
    "Please work through this list for me:",
    "A few things have to be done, in this order:",
)
_IN_A_SENTENCE = 4
"""The maximum number of instructions in running text; more instructions become a list."""
_JOINS = (", and {}", ", then {}", ". Then {}", ". After that, {}", ". Also, {}")


def one_request(dice: Dice, texts: Sequence[str]) -> str:
    """Join instructions into the text of one request; long requests are bullet lists."""
    if len(texts) > _IN_A_SENTENCE:
        return "\n".join([dice.one_of(_LISTS), *(f"- {_sentence(text)}" for text in texts)])
    opening = dice.one_of(_OPENINGS)
    text = opening.format(texts[0])
    asks = opening.startswith(("Could", "Can", "Would"))
    for order in texts[1:]:
        join = dice.one_of(_JOINS)
        if asks and join.startswith("."):
            join, asks = f"?{join[1:]}", False
        if text.endswith(('."', '?"')) and join.startswith("."):
            join = join[1:]
        text += join.format(order)
    return _sentence(text, asks=asks)


def turns(dice: Dice, orders: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Word each instruction as a turn of the user, followed by what the user adds after a reply.

    An addition is an alternative after a refusal ("if that list is locked, put it on ..."), or a
    value that the instruction left out.
    """
    texts: list[str] = []
    unused = list(_NEXT)
    for order, *facts in orders:
        unused = unused or list(_NEXT)
        opening = unused.pop(dice.below(len(unused))) if texts else dice.one_of(_OPENINGS)
        asks = opening.startswith(("Could", "Can", "Would"))
        texts.append(_sentence(opening.format(order), asks=asks))
        for answer in facts:
            instead = _CONDITION.sub("", answer)
            text = dice.one_of(_INSTEAD).format(instead) if instead != answer else answer
            texts.append(_sentence(text))
    return tuple(texts)


def _sentence(text: str, *, asks: bool = False) -> str:
    text = text[0].upper() + text[1:]
    if asks and not text.endswith('?"'):
        return f"{text}?"
    return text if text.endswith((".", "!", "?", '."', '?"')) else f"{text}."
