"""Fuzz signed shortcuts: the container, its compressed segments and the property list inside."""

import struct
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from demo.containers import signed
from parsers.apple_archive import read_signed
from parsers.errors import ParseError
from parsers.file_kinds import is_signed
from tests.fuzz import Target
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.shortcuts import demo_files, read_shortcut

_WORDS = (
    b"bvx2", b"bvx1", b"bvxn", b"bvx-", b"bvx$", b"AA01", b"AEA1", b"DATC", b"DATB", b"PATP",
    b"\xff\xff\xff\xff", b"\xf0\xff", b"\x06" + bytes(7),
)  # fmt: skip
_TABLE_AT, _DATA_AT = 304, 18768


def seeds() -> list[bytes]:
    """Return the signed shortcuts of the demo, among them a larger one of several blocks."""
    return [data for data in demo_files() if is_signed(data)]


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a mutant of the head, the segment table, the segments or the property list inside."""
    data = chance.choice(files)
    part = chance.randrange(5)
    if part == 0:
        return mutate_bytes(chance, files, _WORDS)
    if part == 1:
        with suppress(ParseError):
            return signed(
                mutate_bytes(chance, [read_signed(data)]), segment=chance.choice((64, 4096))
            )
    origin = 12 + struct.unpack_from("<I", data, 8)[0]
    if part == 2:
        at = origin + _TABLE_AT
        return data[:at] + mutate_bytes(chance, [data[at : at + 120]]) + data[at + 120 :]
    start = origin + _DATA_AT
    return data[:start] + mutate_bytes(chance, [data[start:]], _WORDS)


TARGET = Target("shortcut-signed", seeds, read_shortcut, mutate, accepts=is_signed)
