"""Pages over releases, asked in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flows.explorer.open_release import OpenRelease
from flows.explorer.web.server import application

BASE = "http://127.0.0.1:8000"
Opened = Callable[..., TestClient]


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    """A client of the pages of a release in a folder."""
    releases: list[OpenRelease] = []

    def client(folder: Path, token: str = "") -> TestClient:
        releases.append(OpenRelease(folder))
        return TestClient(application(releases[-1], token), base_url=BASE)

    yield client
    for release in releases:
        release.close()


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with rows of every kind, some by people who mean harm; nobody writes into it."""
    from tests.support.samples.described import build, listings, other_rows, shortcuts

    apis = sorted({action.identifier for row in shortcuts() for action in row.actions})
    tables = {"listings": listings(), **other_rows(apis)}
    return build(tmp_path_factory.mktemp("explored"), tables)


@pytest.fixture(scope="module")
def pages(opened: Opened, full: Path) -> TestClient:
    """A client of the release with everything."""
    return opened(full)
