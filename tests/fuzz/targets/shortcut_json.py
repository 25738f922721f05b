"""Shortcuts in JSON."""

import json
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from tests.fuzz import Target
from tests.fuzz.mutations import mutated
from tests.fuzz.shortcuts import demo_files, read_shortcut
from tests.fuzz.trees import mutated_tree

WORDS = (
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"null", b"NaN", b"-Infinity", b"1e999",
    b'"\\ud83d"', b'"\\udc00"', b"true", b"9" * 5000, b'{"a":', b'"" : ""', b"\xef\xbb\xbf",
)  # fmt: skip


def accepts(data: bytes) -> bool:
    """Whether a file may be JSON."""
    return data.lstrip()[:1] in {b"{", b"["}


def seeds() -> list[bytes]:
    """Those of the demo."""
    return [data for data in demo_files() if accepts(data)]


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Half of the mutants are sound JSON that holds something odd."""
    if chance.random() < 0.5:
        with suppress(ValueError, RecursionError):
            tree = mutated_tree(chance, json.loads(chance.choice(files)), property_list=False)
            return json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode()
    return mutated(chance, files, WORDS)


TARGET = Target("shortcut-json", seeds, read_shortcut, mutate, accepts=accepts)
