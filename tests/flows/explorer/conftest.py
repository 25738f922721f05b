"""Fixtures that serve the explorer's pages of sample releases within the test process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.explorer.open_release import OpenRelease
from flows.explorer.web.server import application

BASE = "http://127.0.0.1:8000"
PageOpener = Callable[..., TestClient]


@pytest.fixture(scope="module")
def open_pages() -> Iterator[PageOpener]:
    """Yield a function that returns a client of the pages of a release folder."""
    releases: list[OpenRelease] = []

    def client(folder: Path, token: str = "") -> TestClient:
        releases.append(OpenRelease(folder))
        return TestClient(application(releases[-1], token), base_url=BASE)

    yield client
    for release in releases:
        release.close()


@pytest.fixture(scope="session")
def full_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a read-only release with rows of every kind, some of them hostile."""
    from tests.support.samples.described import build, listings, other_rows, shortcuts

    apis = sorted({action.identifier for row in shortcuts() for action in row.actions})
    tables = {"listings": listings(), **other_rows(apis)}
    return build(tmp_path_factory.mktemp("explored"), tables)


@pytest.fixture(scope="module")
def pages(open_pages: PageOpener, full_release: Path) -> TestClient:
    """Return a client of the pages of the full release."""
    return open_pages(full_release)
