"""Fuzz SiriKit intent definitions."""

from tests.fuzz import Target
from tests.fuzz.definitions import mutator, reader_of
from tests.support.samples.definitions import sample

_WORDS = (b"<array/>", b"<dict/>", b"<key>INEnums</key>", b"ArraySize", b"<integer>" + b"9" * 5000)


def seeds() -> list[bytes]:
    """Return the hand-made sample."""
    return [sample("sirikit")[1]]


def accepts(data: bytes) -> bool:
    """Return whether a file may be an intent definition."""
    return b"INIntents" in data


TARGET = Target(
    "definitions-sirikit", seeds, reader_of("sirikit"), mutator(_WORDS), accepts=accepts
)
