"""A value that a reply mentions, whatever its kind."""

import msgspec


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A value from `start` to `end` in the text.

    Args:
        fits: it is the value of the answer, as its kind reads it.
        bare: nothing beside it says its unit or what is counted.
        worded: it is a text and no number, day or time.
        key: equal for two spellings of one value.
    """

    start: int
    end: int
    fits: bool
    key: str
    bare: bool = False
    worded: bool = False
