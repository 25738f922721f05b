"""The stores that mirrors copy from in the tests."""

from collections.abc import Iterator

import pytest

from tests.support.stores import Bucket, WebServer, s3_bucket, web_server


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """Yield an empty bucket on an S3 server that this process may read."""
    unset_proxies(monkeypatch)
    with s3_bucket() as test_bucket:
        for name, value in test_bucket.env.items():
            monkeypatch.setenv(name, value)
        yield test_bucket


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """Yield a web server without pages."""
    unset_proxies(monkeypatch)
    with web_server() as server:
        yield server


def unset_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
