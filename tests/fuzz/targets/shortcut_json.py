"""Fuzz shortcuts in JSON."""

from functools import partial

from tests.fuzz import Target
from tests.fuzz.shortcuts import demo_files, read_shortcut
from tests.fuzz.trees import mutate_json

WORDS = (
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"null", b"NaN", b"-Infinity", b"1e999",
    b'"\\ud83d"', b'"\\udc00"', b"true", b"9" * 5000, b'{"a":', b'"" : ""', b"\xef\xbb\xbf",
)  # fmt: skip


def accepts(data: bytes) -> bool:
    """Return whether a file may be JSON."""
    return data.lstrip()[:1] in {b"{", b"["}


def seeds() -> list[bytes]:
    """Return the JSON shortcuts of the demo."""
    return [data for data in demo_files() if accepts(data)]


TARGET = Target(
    "shortcut-json", seeds, read_shortcut, partial(mutate_json, words=WORDS), accepts=accepts
)
