"""Seeded draws that are the same on every machine."""

import hashlib


def pick(seed: int, number: int, use: str, size: int) -> int:
    """An index below `size`, the same on every machine for the same seed, number and use."""
    digest = hashlib.sha256(f"{seed}/{number}/{use}".encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:8], "big") % size


def rank(seed: int, key: str) -> str:
    """Return the sort key of `key` in a seeded draw, independent of the other keys."""
    return hashlib.sha256(f"{seed}/{key}".encode("utf-8", "backslashreplace")).hexdigest()
