"""App Intents metadata: extract.actionsdata."""

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
    """The hand-made sample."""
    return [sample("appintents")[1]]


def accepts(data: bytes) -> bool:
    """Whether a file may be one."""
    return b"actions" in data and data.lstrip()[:1] == b"{"


TARGET = Target(
    "definitions-appintents", seeds, reader_of("appintents"), mutator(_WORDS), accepts=accepts
)
