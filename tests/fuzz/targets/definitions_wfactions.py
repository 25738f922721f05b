"""Fuzz the system's own actions up to 2022 (WFActions), as JSON and as a binary property list."""

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
    """Return the hand-made sample in both forms."""
    data = sample("wfactions")[1]
    return [data, plistlib.dumps(json.loads(data), fmt=plistlib.FMT_BINARY)]


def accepts(data: bytes) -> bool:
    """Return whether a file may be a list of actions."""
    return b"ActionClass" in data and not data.startswith(b"SQLite")


TARGET = Target(
    "definitions-wfactions", seeds, reader_of("wfactions"), mutator(_WORDS), accepts=accepts
)
