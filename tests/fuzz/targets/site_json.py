"""Fuzz JSON responses of sites that have an API, each with the adapter of its site."""

from collections.abc import Sequence
from random import Random
from typing import cast

from benchloom.core.records import Listing
from tests.fuzz import Target
from tests.fuzz.pages import mutate_body, page_seeds, rows_of_page
from tests.fuzz.rows import store_rows

_WORDS = (
    b"null", b"true", b"-1", b"1e999", b"99999999999999999999999", b"[[[[", b"{}", b'""',
    b"\\ud800",
    b'{"rendered":', b"%00", b"<b>", b"NaN",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Return the JSON responses of the replica."""
    return page_seeds(markup=False)


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a response with a damaged body."""
    return mutate_body(chance, files, _WORDS)


def read(data: bytes) -> int:
    """Return the number of listings in the response."""
    return store_rows("listings", cast("list[Listing]", rows_of_page(data)))


TARGET = Target("site-json", seeds, read, mutate, _WORDS)
