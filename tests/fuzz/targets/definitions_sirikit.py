"""SiriKit intent definitions."""

from tests.fuzz import Target
from tests.fuzz.definitions import mutator, reader_of
from tests.support.samples.definitions import sample

_WORDS = (b"<array/>", b"<dict/>", b"<key>INEnums</key>", b"ArraySize", b"<integer>" + b"9" * 5000)


def seeds() -> list[bytes]:
    """The hand-made sample."""
    return [sample("sirikit")[1]]


def accepts(data: bytes) -> bool:
    """Whether a file may be one."""
    return b"INIntents" in data


TARGET = Target(
    "definitions-sirikit", seeds, reader_of("sirikit"), mutator(_WORDS), accepts=accepts
)
