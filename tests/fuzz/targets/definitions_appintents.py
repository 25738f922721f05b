"""Fuzz App Intents metadata (extract.actionsdata)."""

from tests.fuzz import Target
from tests.fuzz.definitions import mutator, reader_of
from tests.support.samples.definitions import sample

_WORDS = (
    b"wrapper",
    b"array",
    b"null",
    b"[]",
    b"{}",
    b"1e999",
    b"typeSpecificMetadata",
    b"whenClause",
)


def seeds() -> list[bytes]:
    """Return the hand-made sample."""
    return [sample("appintents")[1]]


def accepts(data: bytes) -> bool:
    """Return whether a file may be App Intents metadata."""
    return b"actions" in data and data.lstrip()[:1] == b"{"


TARGET = Target(
    "definitions-appintents", seeds, reader_of("appintents"), mutator(_WORDS), accepts=accepts
)
