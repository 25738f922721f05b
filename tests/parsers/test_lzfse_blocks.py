"""Check that LZFSE streams with false headers are refused within bounded memory."""

import resource
import struct
from pathlib import Path
from random import Random

import lzfse
import pytest

from demo.containers import binary, signed
from parsers.apple_archive import MAX_BLOCKS, inflate, read_signed
from parsers.errors import ParseError
from tests.support.demo_files.good import recipes
from tests.support.python import python
from tests.support.soak import samples

LARGE = 30_000_000


def first_block_of_zeros() -> tuple[bytes, int]:
    """Return the first block of a compressed stream of zeros, and the size it declares."""
    stream = lzfse.compress(bytes(LARGE))
    second = stream.index(b"bvx2", 4)
    return stream[:second], struct.unpack_from("<I", stream, 4)[0]


def with_declared_size(block: bytes, size: int) -> bytes:
    return block[:4] + struct.pack("<I", size) + block[8:]


def refusal_message(stream: bytes, size: int) -> str:
    with pytest.raises(ParseError) as caught:
        inflate(stream, size)
    assert caught.value.reason == "bad_signed_container"
    return caught.value.message


@pytest.mark.parametrize("length", [1, 7, 40, 3000, 5000, 70_000, 900_000])
def test_compressed_content_is_inflated_unchanged(length: int) -> None:
    chance = Random(length)
    words = [chance.randbytes(9) for _ in range(60)]
    content = b"".join(chance.choice(words) for _ in range(length // 9 + 1))[:length]
    assert inflate(lzfse.compress(content), length) == content
    noise = chance.randbytes(length)
    assert inflate(lzfse.compress(noise), length) == noise


def test_wrong_total_sizes_are_refused_before_inflating() -> None:
    block, size = first_block_of_zeros()
    assert "do not add up" in refusal_message(block * 100 + b"bvx$", 1000)
    assert "do not add up" in refusal_message(block + b"bvx$", size + 1)
    assert refusal_message(block * (MAX_BLOCKS + 1) + b"bvx$", size).startswith(
        "an LZFSE segment has more"
    )


def test_truncated_extended_and_unknown_streams_are_refused() -> None:
    stream = lzfse.compress(b"some words, some words, some words" * 10)
    for cut in range(len(stream)):
        refusal_message(stream[:cut], 340)
    assert "follow the end" in refusal_message(stream + b"\0", 340)
    assert "unknown" in refusal_message(b"bvx?" + stream[4:], 340)


def test_block_larger_than_its_header_is_refused() -> None:
    small = lzfse.compress(b"abcdefgh" * 40)
    for size in (1, 100, 319):
        assert refusal_message(with_declared_size(small, size), size)
    block, size = first_block_of_zeros()
    assert "differs from its header" in refusal_message(
        with_declared_size(block, size - 1) + b"bvx$", size - 1
    )


def test_bomb_is_refused_within_bounded_memory(tmp_path: Path) -> None:
    block, size = first_block_of_zeros()
    stream = block * 2 + with_declared_size(block, 1000) * 100 + b"bvx$"
    path = tmp_path / "bomb"
    path.write_bytes(stream)
    program = (
        "import resource, sys; from parsers.apple_archive import inflate\n"
        "from parsers.errors import ParseError\n"
        "try: inflate(open(sys.argv[1], 'rb').read(), int(sys.argv[2]))\n"
        "except ParseError as error: print(error.reason)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)"
    )
    root = Path(__file__).resolve().parents[2]
    completed = python("-c", program, path, 2 * size + 100_000, cwd=root)
    reason, peak = completed.stdout.split()
    assert reason == "bad_signed_container"
    inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    assert int(peak) < max(500, inherited + 400)  # 102 blocks would be 2,400 MiB


def test_damaged_segments_of_a_signed_shortcut_are_refused() -> None:
    container = signed(binary(recipes()[0].build()))
    start = container.index(b"bvx")
    chance = Random(5)
    reasons: set[str] = set()
    for _ in range(samples(150, 600)):
        damaged = bytearray(container)
        for _ in range(chance.choice((1, 1, 2, 8))):
            damaged[chance.randrange(start, len(damaged))] = chance.randrange(256)
        try:
            read_signed(bytes(damaged))
        except ParseError as error:
            reasons.add(error.reason)
    assert "bad_signed_container" in reasons
