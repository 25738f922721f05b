"""Check that clients of a server without TLS share one TLS context."""

import ssl
from pathlib import Path

import certifi
import pytest
from prefect.client import orchestration
from prefect.client.orchestration import SyncPrefectClient

from flows.engine.server.local import share_contexts


@pytest.mark.parametrize(
    ("address", "reads"), [("http://127.0.0.1:1", 1), ("https://localhost", 3)]
)
def test_certificates_are_read_once_without_tls(
    address: str, reads: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(vars(orchestration), "ssl", ssl)
    ca_files: list[str | None] = []

    def create_counted_context(cafile: str | None = None) -> ssl.SSLContext:
        ca_files.append(cafile)
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    monkeypatch.setattr(ssl, "create_default_context", create_counted_context)
    # A certificate file that no earlier test has requested.
    monkeypatch.setattr(certifi, "where", lambda: str(tmp_path))
    share_contexts(address)
    for _ in range(3):
        SyncPrefectClient(f"{address}/api")
    assert len(ca_files) == reads
