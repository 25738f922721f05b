"""A value that a reply mentions, whatever its kind."""

import msgspec


class Mention(msgspec.Struct, frozen=True):
    """A value from `start` to `end` in the text.

    Args:
        fits: it is the value of the answer, as its kind reads it.
        key: equal for two spellings of one value.
        worded: it is a text and no number, day or time.
    """

    start: int
    end: int
    fits: bool
    key: str
    worded: bool = False
