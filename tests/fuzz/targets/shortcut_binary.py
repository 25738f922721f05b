"""Fuzz shortcuts in binary property lists."""

import plistlib
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from parsers.errors import ParseError
from parsers.property_lists import is_binary, read_binary
from parsers.shortcuts.cross_check import cross_check
from parsers.walk import check_bounds
from tests.fuzz import Target
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.shortcuts import demo_files, read_shortcut
from tests.fuzz.trees import mutate_tree

WORDS = (
    b"\x80\x07",  # a UID
    b"\x14" + b"\xff" * 16,  # an integer of sixteen bytes
    b"\x1b" + b"\xff" * 2048,  # an integer of 2,048 bytes
    b"\xc1\x00",  # a set
    b"\x33" + b"\x7f" * 8,  # a date
    b"\xdf\x13" + b"\xff" * 8,  # a mapping of 2^64 keys
    b"\xaf\x11\xff\xff",  # an array of 65,535 values
    b"\x6f\x10\xff",  # a UTF-16 text
    b"\x00",  # null
)


def seeds() -> list[bytes]:
    """Return the binary shortcuts of the demo."""
    return [data for data in demo_files() if is_binary(data)]


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a mutant; half of the mutants are valid property lists with odd values."""
    if chance.random() < 0.5:
        with suppress(ParseError, OverflowError, TypeError, RecursionError):
            root = read_binary(chance.choice(files))
            check_bounds(root)
            tree = mutate_tree(chance, root, property_list=True)
            return plistlib.dumps(tree, fmt=plistlib.FMT_BINARY, sort_keys=False)  # type: ignore[arg-type]  # values of any type
    return mutate_bytes(chance, files, WORDS)


def read(data: bytes) -> int:
    """Parse the data, and read it again with the second reader as `--cross-check` does."""
    rows = read_shortcut(data)
    if is_binary(data):
        cross_check(data)
    return rows


TARGET = Target("shortcut-binary", seeds, read, mutate, accepts=is_binary)
