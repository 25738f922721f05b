"""A target whose reader misbehaves as its mutant says: it raises, spins, grows or dies."""

import os
from collections.abc import Sequence
from random import Random

from benchloom.core.errors import RejectedInputError
from tests.fuzz import Target

BEHAVIOURS = ("read", "refuse", "raise", "spin", "grow", "die")


def choose_behaviour(chance: Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the seeds, which are names of behaviours."""
    return chance.choice(seeds)


def read(data: bytes) -> int:
    """Behave as the data says."""
    if data == b"refuse":
        raise RejectedInputError("bad_deed", "refused in words")
    if data == b"raise":
        raise ValueError("no word about the input")
    while data == b"spin":
        pass
    if data == b"grow":
        return sum(bytearray(400 << 20)[::4096])
    if data == b"die":
        os.abort()
    return 1


TARGET = Target(
    "faulty", lambda: [behaviour.encode() for behaviour in BEHAVIOURS], read, choose_behaviour
)
