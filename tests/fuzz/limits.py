"""Limits of one mutant."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Limits of one mutant: seconds of processor time, and bytes of memory in its process."""

    seconds: float = 5.0
    memory: int = 1 << 30
