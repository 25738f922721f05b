"""The fixture that opens a session of the everyday world."""

from collections.abc import Iterator

import pytest

from benchloom.worlds import Session
from benchloom.worlds.everyday import everyday
from tests.benchloom.worlds.suites.everyday.support import Visit


@pytest.fixture
def visit() -> Iterator[Visit]:
    with Session(everyday()) as session:
        yield Visit(session)
