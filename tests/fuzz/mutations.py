"""Mutations of bytes that know nothing of the format: flips, cuts, splices, lengths, nesting."""

from collections.abc import Callable, Sequence
from random import Random

MAX_BYTES = 4 * 1024 * 1024
_LIMITS = (0, 1, 2, 7, 8, 15, 16, 127, 128, 255, 256, 32767, 32768, 65535, 65536)
_WIDE = (2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1)
_NUMBERS = (b"0", b"-1", b"1e400", b"-0.0", b"99999999999999999999999999", b"NaN", b"9" * 5000)
_TEXTS = (
    b"\\ud83d",
    b"\xed\xa0\xbd",
    b"\xff\xfe",
    b"\x00",
    b"\r",
    b"&#0;",
    b"&#55357;",
    b"\\u0000",
)
_OPENINGS = (b"[", b"{", b'{"a":', b"<dict>", b"<array>", b"(", b"<div>", b"\xa1\x00")
_MAX_NESTING = 20_000

Mutation = Callable[[Random, bytearray], None]


def mutated(chance: Random, seeds: Sequence[bytes], words: Sequence[bytes] = ()) -> bytes:
    """One mutant of one seed, by one to eight mutations."""
    data = bytearray(chance.choice(seeds))
    for _ in range(1 + min(int(chance.expovariate(0.5)), 7)):
        if chance.random() < 0.06:
            _splice(chance, data, chance.choice(seeds))
        elif words and chance.random() < 0.15:
            _put(chance, data, chance.choice(words))
        else:
            chance.choice(MUTATIONS)(chance, data)
        del data[MAX_BYTES:]
    return bytes(data)


def place(chance: Random, data: bytearray) -> int:
    """A position: anywhere, or near an end, where headers and trailers stand."""
    if not data:
        return 0
    if chance.random() < 0.3:
        near = chance.randrange(min(len(data), 64))
        return near if chance.random() < 0.5 else len(data) - 1 - near
    return chance.randrange(len(data))


def _range(chance: Random, data: bytearray) -> tuple[int, int]:
    start = place(chance, data)
    return start, min(len(data), start + 1 + int(chance.expovariate(1 / 24)))


def _put(chance: Random, data: bytearray, word: bytes) -> None:
    """Insert a word, or write it over what stands there."""
    at = place(chance, data)
    data[at : at + (len(word) if chance.random() < 0.5 else 0)] = word


def _splice(chance: Random, data: bytearray, other: bytes) -> None:
    """The beginning of one file and the end of another."""
    data[place(chance, data) :] = other[place(chance, bytearray(other[:1]) or data) % 64 :]


def _flip(chance: Random, data: bytearray) -> None:
    if data:
        data[place(chance, data)] ^= 1 << chance.randrange(8)


def _byte(chance: Random, data: bytearray) -> None:
    if data:
        data[place(chance, data)] = chance.choice((0, 0x7F, 0x80, 0xFF, chance.randrange(256)))


def _integer(chance: Random, data: bytearray) -> None:
    """A length, count or offset: an absurd number in either byte order."""
    width = chance.choice((1, 2, 4, 8))
    value = chance.choice((*_LIMITS, *_WIDE)) & ((1 << 8 * width) - 1)
    at = place(chance, data)
    data[at : at + width] = value.to_bytes(width, chance.choice(("big", "little")))


def _nudge(chance: Random, data: bytearray) -> None:
    """A number that is off by a little."""
    if data:
        at = place(chance, data)
        data[at] = (data[at] + chance.choice((-16, -2, -1, 1, 2, 16))) % 256


def _cut(chance: Random, data: bytearray) -> None:
    start, stop = _range(chance, data)
    del data[start:stop]


def _end(chance: Random, data: bytearray) -> None:
    del data[place(chance, data) :]


def _twice(chance: Random, data: bytearray) -> None:
    start, stop = _range(chance, data)
    data[start:start] = data[start:stop] * chance.choice((1, 1, 1, 3, 200))


def _move(chance: Random, data: bytearray) -> None:
    start, stop = _range(chance, data)
    part = data[start:stop]
    del data[start:stop]
    at = place(chance, data)
    data[at:at] = part


def _noise(chance: Random, data: bytearray) -> None:
    at = place(chance, data)
    data[at:at] = chance.randbytes(1 + int(chance.expovariate(0.1)))


def _text(chance: Random, data: bytearray) -> None:
    _put(chance, data, chance.choice(_TEXTS))


def _digits(chance: Random, data: bytearray) -> None:
    """A written number becomes an absurd one."""
    positions = [
        at for at in range(0, len(data), max(1, len(data) // 400)) if data[at] in b"0123456789"
    ]
    if positions:
        at = chance.choice(positions)
        stop = at
        while stop < len(data) and data[stop] in b"0123456789":
            stop += 1
        data[at:stop] = chance.choice(_NUMBERS)


def _nest(chance: Random, data: bytearray) -> None:
    """Thousands of openings without an end."""
    at = place(chance, data)
    opening = chance.choice(_OPENINGS) if chance.random() < 0.5 else bytes(data[at : at + 2])
    data[at:at] = opening * int(_MAX_NESTING ** chance.random())


MUTATIONS: tuple[Mutation, ...] = (
    *(_flip, _byte, _integer, _nudge, _cut, _twice, _move) * 3,
    *(_noise, _text, _digits, _end) * 2,
    _nest,
)
