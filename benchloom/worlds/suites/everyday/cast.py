"""Who there is, by number, and how what is theirs is chosen."""

import hashlib

COUNT = 120
"""How many people there are; the user is the first."""
USER = "p001"


def drawn(size: int, *parts: str) -> int:
    """A number below `size` that follows from texts, the same on every machine."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") % size


def person_id(number: int) -> str:
    """The id of a person; the user is number 1."""
    return f"p{number:03d}"
