"""The people of the world by number, and reproducible draws."""

import hashlib

COUNT = 120
"""Number of people; the user is the first."""
USER = "p001"


def drawn(size: int, *parts: str) -> int:
    """Draw a number below `size`, determined by the texts: the same on every machine."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") % size


def person_id(number: int) -> str:
    """The id of a person; the user is number 1."""
    return f"p{number:03d}"
