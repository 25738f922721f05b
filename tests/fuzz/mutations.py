"""Mutate bytes without knowing their format, by flips, cuts, splices, lengths and nesting."""

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


def mutate_bytes(chance: Random, seeds: Sequence[bytes], words: Sequence[bytes] = ()) -> bytes:
    """Return a mutant of one of the seeds after one to eight mutations."""
    data = bytearray(chance.choice(seeds))
    for _ in range(1 + min(int(chance.expovariate(0.5)), 7)):
        if chance.random() < 0.06:
            _splice(chance, data, chance.choice(seeds))
        elif words and chance.random() < 0.15:
            _insert_or_overwrite(chance, data, chance.choice(words))
        else:
            chance.choice(MUTATIONS)(chance, data)
        del data[MAX_BYTES:]
    return bytes(data)


def position(chance: Random, data: bytearray) -> int:
    """Return a random position, often near an end, where files have headers and trailers."""
    if not data:
        return 0
    if chance.random() < 0.3:
        offset = chance.randrange(min(len(data), 64))
        return offset if chance.random() < 0.5 else len(data) - 1 - offset
    return chance.randrange(len(data))


def _range(chance: Random, data: bytearray) -> tuple[int, int]:
    start = position(chance, data)
    return start, min(len(data), start + 1 + int(chance.expovariate(1 / 24)))


def _insert_or_overwrite(chance: Random, data: bytearray, word: bytes) -> None:
    """Insert a word at a random position, or overwrite the bytes there with it."""
    at = position(chance, data)
    data[at : at + (len(word) if chance.random() < 0.5 else 0)] = word


def _splice(chance: Random, data: bytearray, other_file: bytes) -> None:
    """Replace the end of the data by bytes of another file."""
    data[position(chance, data) :] = other_file[
        position(chance, bytearray(other_file[:1]) or data) % 64 :
    ]


def _flip_bit(chance: Random, data: bytearray) -> None:
    if data:
        data[position(chance, data)] ^= 1 << chance.randrange(8)


def _set_byte(chance: Random, data: bytearray) -> None:
    if data:
        data[position(chance, data)] = chance.choice((0, 0x7F, 0x80, 0xFF, chance.randrange(256)))


def _write_integer(chance: Random, data: bytearray) -> None:
    """Overwrite a possible length, count or offset with an extreme number in either byte order."""
    width = chance.choice((1, 2, 4, 8))
    value = chance.choice((*_LIMITS, *_WIDE)) & ((1 << 8 * width) - 1)
    at = position(chance, data)
    data[at : at + width] = value.to_bytes(width, chance.choice(("big", "little")))


def _nudge(chance: Random, data: bytearray) -> None:
    """Change a byte by a small amount."""
    if data:
        at = position(chance, data)
        data[at] = (data[at] + chance.choice((-16, -2, -1, 1, 2, 16))) % 256


def _cut(chance: Random, data: bytearray) -> None:
    start, stop = _range(chance, data)
    del data[start:stop]


def _truncate(chance: Random, data: bytearray) -> None:
    del data[position(chance, data) :]


def _repeat(chance: Random, data: bytearray) -> None:
    start, stop = _range(chance, data)
    data[start:start] = data[start:stop] * chance.choice((1, 1, 1, 3, 200))


def _move(chance: Random, data: bytearray) -> None:
    start, stop = _range(chance, data)
    part = data[start:stop]
    del data[start:stop]
    at = position(chance, data)
    data[at:at] = part


def _insert_noise(chance: Random, data: bytearray) -> None:
    at = position(chance, data)
    data[at:at] = chance.randbytes(1 + int(chance.expovariate(0.1)))


def _insert_text(chance: Random, data: bytearray) -> None:
    _insert_or_overwrite(chance, data, chance.choice(_TEXTS))


def _replace_number(chance: Random, data: bytearray) -> None:
    """Replace a decimal number by an extreme one."""
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
    """Insert up to thousands of opening brackets or tags without their ends."""
    at = position(chance, data)
    opening = chance.choice(_OPENINGS) if chance.random() < 0.5 else bytes(data[at : at + 2])
    data[at:at] = opening * int(_MAX_NESTING ** chance.random())


MUTATIONS: tuple[Mutation, ...] = (
    *(_flip_bit, _set_byte, _write_integer, _nudge, _cut, _repeat, _move) * 3,
    *(_insert_noise, _insert_text, _replace_number, _truncate) * 2,
    _nest,
)
