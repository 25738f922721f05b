"""The system's own actions up to 2022: WFActions, in JSON and in a binary property list."""

import json
import plistlib

from tests.fuzz import Target
from tests.fuzz.definitions import mutator, reader_of
from tests.support.samples.definitions import sample

_WORDS = (
    b"ActionClass",
    b"Parameters",
    b"ParameterSummary",
    b"RequiredResources",
    b"${a}",
    b"null",
)


def seeds() -> list[bytes]:
    """The hand-made sample."""
    data = sample("wfactions")[1]
    return [data, plistlib.dumps(json.loads(data), fmt=plistlib.FMT_BINARY)]


def accepts(data: bytes) -> bool:
    """Whether a file may be one."""
    return b"ActionClass" in data and not data.startswith(b"SQLite")


TARGET = Target(
    "definitions-wfactions", seeds, reader_of("wfactions"), mutator(_WORDS), accepts=accepts
)
