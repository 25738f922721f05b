"""Clients of a server without TLS share what they would read of certificates."""

import ssl
from pathlib import Path

import certifi
import pytest
from prefect.client import orchestration
from prefect.client.orchestration import SyncPrefectClient

from flows.engine.server.local import share_contexts


@pytest.mark.parametrize(("address", "read"), [("http://127.0.0.1:1", 1), ("https://localhost", 3)])
def test_certificates_are_read_once_where_nobody_needs_them(
    address: str, read: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(vars(orchestration), "ssl", ssl)
    ca_files: list[str | None] = []

    def counted(cafile: str | None = None) -> ssl.SSLContext:
        ca_files.append(cafile)
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    monkeypatch.setattr(ssl, "create_default_context", counted)
    # Another file of certificates than any test before has asked for.
    monkeypatch.setattr(certifi, "where", lambda: str(tmp_path))
    share_contexts(address)
    for _ in range(3):
        SyncPrefectClient(f"{address}/api")
    assert len(ca_files) == read
