"""A target whose reader does, by what a mutant says, everything that a reader must not do."""

import os
from collections.abc import Sequence
from random import Random

from benchloom.core.errors import RejectedInputError
from tests.fuzz import Target

DEEDS = ("read", "refuse", "raise", "spin", "grow", "die")


def a_deed(chance: Random, seeds: Sequence[bytes]) -> bytes:
    """A mutant of the seeds, which are the deeds."""
    return chance.choice(seeds)


def do(data: bytes) -> int:
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


TARGET = Target("faulty", lambda: [deed.encode() for deed in DEEDS], do, a_deed)
