"""LZFSE streams whose headers lie: refused within bounded memory, whatever they hold."""

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


def blocks_of_zeros() -> tuple[bytes, int]:
    """The first block of a stream of zeros, which ends no stream, and what it holds."""
    stream = lzfse.compress(bytes(LARGE))
    second = stream.index(b"bvx2", 4)
    return stream[:second], struct.unpack_from("<I", stream, 4)[0]


def lying(block: bytes, size: int) -> bytes:
    return block[:4] + struct.pack("<I", size) + block[8:]


def refused(stream: bytes, size: int) -> str:
    with pytest.raises(ParseError) as caught:
        inflate(stream, size)
    assert caught.value.reason == "bad_signed_container"
    return caught.value.message


@pytest.mark.parametrize("length", [1, 7, 40, 3000, 5000, 70_000, 900_000])
def test_what_the_package_packed_is_what_comes_out(length: int) -> None:
    chance = Random(length)
    words = [chance.randbytes(9) for _ in range(60)]
    content = b"".join(chance.choice(words) for _ in range(length // 9 + 1))[:length]
    assert inflate(lzfse.compress(content), length) == content
    noise = chance.randbytes(length)
    assert inflate(lzfse.compress(noise), length) == noise


def test_sizes_that_differ_from_the_table_are_refused_unread() -> None:
    block, size = blocks_of_zeros()
    assert "do not add up" in refused(block * 100 + b"bvx$", 1000)
    assert "do not add up" in refused(block + b"bvx$", size + 1)
    assert refused(block * (MAX_BLOCKS + 1) + b"bvx$", size).startswith("an LZFSE segment has more")


def test_bytes_around_the_blocks_are_refused() -> None:
    stream = lzfse.compress(b"some words, some words, some words" * 10)
    for cut in range(len(stream)):
        refused(stream[:cut], 340)
    assert "follow the end" in refused(stream + b"\0", 340)
    assert "unknown" in refused(b"bvx?" + stream[4:], 340)


def test_a_block_that_holds_more_than_it_says_is_refused() -> None:
    small = lzfse.compress(b"abcdefgh" * 40)
    for size in (1, 100, 319):
        assert refused(lying(small, size), size)
    block, size = blocks_of_zeros()
    assert "differs from its header" in refused(lying(block, size - 1) + b"bvx$", size - 1)


def test_a_bomb_takes_no_more_memory_than_a_few_blocks(tmp_path: Path) -> None:
    block, size = blocks_of_zeros()
    honest_then_not = block * 2 + lying(block, 1000) * 100 + b"bvx$"
    path = tmp_path / "bomb"
    path.write_bytes(honest_then_not)
    program = (
        "import resource, sys; from parsers.apple_archive import inflate\n"
        "from parsers.errors import ParseError\n"
        "try: inflate(open(sys.argv[1], 'rb').read(), int(sys.argv[2]))\n"
        "except ParseError as error: print(error.reason)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)"
    )
    root = Path(__file__).resolve().parents[2]
    done = python("-c", program, path, 2 * size + 100_000, cwd=root)
    reason, peak = done.stdout.split()
    assert reason == "bad_signed_container"
    inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    assert int(peak) < max(500, inherited + 400)  # 102 blocks would be 2,400 MiB


def test_damaged_segments_of_a_signed_shortcut_are_typed_faults() -> None:
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
