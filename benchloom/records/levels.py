"""ShortcutsBench's difficulty levels: (0,1], (1,5], (5,15], (15,30], over 30."""

from bisect import bisect_left

_UPPER_BOUNDS = (1, 5, 15, 30)


def level_of(length: int) -> int | None:
    """Level 1 to 5 of a length; a length of 0 has none."""
    return bisect_left(_UPPER_BOUNDS, length) + 1 if length > 0 else None
