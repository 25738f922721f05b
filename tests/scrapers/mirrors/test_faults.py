"""Check that every fault of a store is reported in one line and leaves no partial copy."""

import os
import resource
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import pytest

from benchloom.core.errors import RunError
from scrapers.mirrors import INPUTS, local_copy, read_address
from scrapers.mirrors.local_copy import mirror
from scrapers.mirrors.store import protocol_fault
from tests.support.stores import SECRET, Bucket, Page, WebServer


def mirror_fault(url: str, space: Path) -> str:
    with pytest.raises(RunError) as caught:
        mirror(read_address(url), space)
    message = str(caught.value)
    assert "\n" not in message
    assert SECRET not in message
    assert list((space / INPUTS).glob(".tmp-*")) == []
    return message


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def test_unknown_protocols_and_missing_packages_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "unknown protocol 'nosuch'; known: file, " in str(
        protocol_fault(read_address("nosuch://a"))
    )
    assert "unknown protocol 'zip'" in str(protocol_fault(read_address("zip://a")))
    assert "paramiko" in str(protocol_fault(read_address("sftp://host/x")))
    assert protocol_fault(read_address("s3://bucket")) is None

    def missing(protocol: str) -> object:
        raise ImportError(f"Install what {protocol} wants")

    monkeypatch.setattr(fsspec, "get_filesystem_class", missing)
    for url, extra in (("s3://b/x", "s3"), ("https://h/x", "s3"), ("hf://datasets/a/b", "hub")):
        message = str(protocol_fault(read_address(url)))
        assert message == f"{url}: needs the extra '{extra}': pip install 'benchloom[{extra}]'"


def test_missing_bucket_folder_or_file_is_reported(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("data/one", b"1")
    assert "no such" in mirror_fault("s3://not-there-at-all/x", tmp_path)
    assert "no such" in mirror_fault(bucket.url("dat"), tmp_path)
    assert "no such" in mirror_fault(bucket.url("data/one") + "/", tmp_path)
    assert "no such" in mirror_fault("memory://nothing/here", tmp_path)


@pytest.mark.parametrize(
    ("status", "expected_message"),
    [
        (401, "access refused (HTTP 401)"),
        (403, "access refused (HTTP 403)"),
        (404, "no such"),
        (500, "the server returned HTTP 500"),
    ],
)
def test_error_status_of_a_web_server_is_reported(
    web: WebServer, tmp_path: Path, status: int, expected_message: str
) -> None:
    web.pages["/a.zip"] = Page(status=status)
    message = mirror_fault(f"{web.address}/a.zip?sig={SECRET}", tmp_path)
    assert expected_message in message
    assert message.startswith(f"{web.address}/a.zip?...: ")


@pytest.mark.long
def test_unreachable_server_is_reported(
    tmp_path: Path, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = closed_port()
    assert "cannot be reached" in mirror_fault(f"http://127.0.0.1:{port}/a.zip", tmp_path)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    assert "cannot be reached" in mirror_fault(bucket.url("x"), tmp_path)


@pytest.mark.long
def test_missing_and_refused_credentials_are_reported(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code in ("InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied", "ExpiredToken"):
        bucket.request_log.refused = code
        for url in (bucket.url("x"), bucket.url("x") + "/"):
            assert "access refused" in mirror_fault(url, tmp_path)
    bucket.request_log.refused = None
    for name in (*bucket.env, "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket.env["AWS_ENDPOINT_URL"])
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "no credentials" in mirror_fault(bucket.url("x"), tmp_path)


def test_file_of_another_size_than_declared_is_refused(
    web: WebServer, bucket: Bucket, tmp_path: Path
) -> None:
    web.pages["/a.zip"] = Page(b"short", declared_size=50, etag="1")
    url = f"{web.address}/a.zip"
    assert "fewer bytes arrived than announced" in mirror_fault(url, tmp_path)
    assert not read_address(url).copy_path(tmp_path).exists()

    bucket.put("data/one", b"12345")
    files: Any = fsspec.get_filesystem_class("s3")
    listed = files._lsdir

    for size, expected_message in (
        (9, "5 bytes arrived, not 9"),
        (3, "5 bytes arrived, not 3"),
    ):

        async def list_with_wrong_size(
            self: object, *words: object, declared_size: int = size, **named: object
        ) -> list[dict[str, object]]:
            entries = await listed(self, *words, **named)
            return [entry | {"size": declared_size, "Size": declared_size} for entry in entries]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "_lsdir", list_with_wrong_size)
            assert expected_message in mirror_fault(bucket.url("data") + "/", tmp_path)
    assert not (read_address(bucket.url("data")).copy_path(tmp_path) / "one").exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (("a/../../b",), "'..' leads out of its folder"),
        (("/etc/passwd",), "the path contains two slashes without a name between them"),
        (("x" * 300,), "has 300 bytes"),
        (("a\tb",), "a control character"),
        (("a", "a/b"), "'a' is both a file and a folder"),
        (("a/b", "a/b/c/d"), "'a/b' is both a file and a folder"),
    ],
)
def test_invalid_file_names_are_reported(
    bucket: Bucket, tmp_path: Path, names: tuple[str, ...], fault: str
) -> None:
    bucket.put("data/good", b"1")
    for name in names:
        bucket._files.call_s3("put_object", Bucket=bucket.name, Key=f"data/{name}", Body=b"2")
    assert fault in mirror_fault(bucket.url("data"), tmp_path)
    assert not read_address(bucket.url("data")).copy_path(tmp_path).exists()


COPY = """
import sys
from pathlib import Path
from benchloom.core.errors import RunError
from scrapers.mirrors import read_address
from scrapers.mirrors.local_copy import mirror
try:
    mirror(read_address(sys.argv[1]), Path(sys.argv[2]))
except RunError as error:
    sys.exit(str(error))
"""


@pytest.mark.long
@pytest.mark.slow
def test_full_disk_is_reported_and_a_repeated_run_succeeds(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("data/small", b"1")
    bucket.put("data/large", bytes(400_000))
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100_000, 100_000))
    words = [sys.executable, "-c", COPY, bucket.url("data"), str(tmp_path)]
    run = partial(
        subprocess.run,
        words,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[3],
        env=dict(os.environ),
    )
    stopped = run(preexec_fn=limit)
    assert stopped.returncode == 1
    assert stopped.stderr.count("\n") == 1
    assert "data (large): cannot be stored here: File too large" in stopped.stderr
    mirror_folder = read_address(bucket.url("data")).copy_path(tmp_path)
    assert not (mirror_folder / "large").exists()
    assert list((tmp_path / INPUTS).glob(".tmp-*")) == []
    assert run().returncode == 0
    assert (mirror_folder / "large").stat().st_size == 400_000


def test_names_that_differ_only_by_case_are_reported(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Read.json", "read.json", "other.json"):
        bucket.put(f"data/{name}", name.encode())
    local = local_copy._Mirror._local

    def without_case(self: local_copy._Mirror, name: str) -> Path:
        return local(self, name.lower())

    monkeypatch.setattr(local_copy._Mirror, "_local", without_case)
    assert "1 names differ from other names only by case or accents" in mirror_fault(
        bucket.url("data"), tmp_path
    )
