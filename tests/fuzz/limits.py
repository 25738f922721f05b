"""What one mutant may use."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """What one mutant may use: seconds of processor time, and bytes of memory in its process."""

    seconds: float = 5.0
    memory: int = 1 << 30
