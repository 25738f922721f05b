"""The limits of time and memory for reading one mutant."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits for one mutant: seconds of processor time, and bytes of memory of its process."""

    seconds: float = 5.0
    memory: int = 1 << 30
