"""The stores that copies are made from."""

from collections.abc import Iterator

import pytest

from tests.support.stores import Bucket, WebServer, s3_bucket, web_server


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """An S3 server with an empty bucket; this process may read it."""
    without_proxies(monkeypatch)
    with s3_bucket() as test_bucket:
        for name, value in test_bucket.env.items():
            monkeypatch.setenv(name, value)
        yield test_bucket


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """A web server without pages."""
    without_proxies(monkeypatch)
    with web_server() as server:
        yield server


def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
