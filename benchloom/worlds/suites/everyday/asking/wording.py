"""Join orders into the text of one request."""

from collections.abc import Sequence

from benchloom.worlds.suites.everyday.asking.dice import Dice

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
_JOINS = (", and {}", ", then {}", ". Then {}", ". After that, {}", ". Also, {}")


def one_request(dice: Dice, texts: Sequence[str]) -> str:
    """Return one request that contains all orders."""
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
    text = text[0].upper() + text[1:]
    if asks:
        return f"{text}?"
    return text if text.endswith((".", "!", "?", '."', '?"')) else f"{text}."
