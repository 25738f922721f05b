"""Check that a mirror follows its store: changed files are fetched, removed files are deleted."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest

from benchloom.core.errors import RunError
from scrapers.mirrors import INPUTS, read_address
from scrapers.mirrors.local_copy import MirrorResult, mirror
from tests.support.folders import contents
from tests.support.stores import Bucket, Page, WebServer

ROOT = Path(__file__).resolve().parents[3]
FILES = {"one.json": b"1", "inner/two.json": b"22", "inner/deep/three.json": b""}


def fill(bucket: Bucket, files: dict[str, bytes], folder: str = "data/more") -> None:
    bucket.put_all({f"{folder}/{name}": content for name, content in files.items()})


def mirror_url(url: str, space: Path) -> tuple[MirrorResult, Path]:
    address = read_address(url)
    return mirror(address, space), address.copy_path(space)


def inode_and_time(path: Path) -> tuple[int, int]:
    """Return inode and modification time in ns, which change when a file is rewritten."""
    return path.stat().st_ino, path.stat().st_mtime_ns


def temporary_files(space: Path) -> list[str]:
    return [path.name for path in (space / INPUTS).glob(".tmp-*")]


def test_unchanged_folder_is_listed_but_not_fetched_again(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    bucket.put("data/more-of-others/four.json", b"4")
    result, mirror_path = mirror_url(bucket.url("data/more"), tmp_path)
    assert (result.files, result.fetched, result.removed, result.bytes) == (3, 3, 0, 3)
    assert contents(mirror_path) == dict(sorted(FILES.items()))
    assert mirror_path.parts[-3:] == (bucket.name, "data", "more")
    assert len(bucket.request_log.take_paths()) == 3
    second_result, _ = mirror_url(bucket.url("data/more"), tmp_path)
    assert (second_result.fetched, second_result.removed, second_result.bytes) == (0, 0, 0)
    assert bucket.request_log.take_paths() == []
    assert temporary_files(tmp_path) == []


def test_changed_new_and_removed_objects_are_mirrored(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    _, mirror_path = mirror_url(bucket.url("data"), tmp_path)
    before = inode_and_time(mirror_path / "more/inner/two.json")
    bucket.put("data/more/one.json", b"9")
    bucket.put("data/new.json", b"new")
    bucket.remove("data/more/inner/deep/three.json")
    bucket.request_log.take_paths()
    result, _ = mirror_url(bucket.url("data"), tmp_path)
    assert (result.files, result.fetched, result.removed) == (3, 2, 1)
    assert sorted(bucket.request_log.take_paths()) == [
        f"/{bucket.name}/data/more/one.json",
        f"/{bucket.name}/data/new.json",
    ]
    assert contents(mirror_path) == {
        "more/inner/two.json": b"22",
        "more/one.json": b"9",
        "new.json": b"new",
    }
    assert not (mirror_path / "more/inner/deep").exists()
    assert inode_and_time(mirror_path / "more/inner/two.json") == before


def test_local_changes_to_a_mirror_are_undone(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    _, mirror_path = mirror_url(bucket.url("data/more"), tmp_path)
    two = mirror_path / "inner/two.json"
    times = two.stat()
    two.write_bytes(b"2x")
    os.utime(two, ns=(times.st_atime_ns, times.st_mtime_ns))
    (mirror_path / "one.json").unlink()
    (mirror_path / "one.json").mkdir()
    (mirror_path / "one.json/foreign").write_bytes(b"foreign")
    (mirror_path / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "mine").write_bytes(b"mine")
    mirror_url(bucket.url("data/more"), tmp_path)
    assert contents(mirror_path) == dict(sorted(FILES.items()))
    assert (tmp_path / "mine").read_bytes() == b"mine"


def test_file_that_becomes_a_folder_is_mirrored(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("data/thing", b"file")
    result, mirror_path = mirror_url(bucket.url("data/thing"), tmp_path)
    assert (result.files, mirror_path.read_bytes()) == (1, b"file")
    bucket.remove("data/thing")
    bucket.put("data/thing/inner", b"folder")
    _, mirror_path = mirror_url(bucket.url("data/thing"), tmp_path)
    assert contents(mirror_path) == {"inner": b"folder"}


def test_folder_marker_objects_are_ignored(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    for folder in ("data/", "data/more/", "data/more/inner/"):
        bucket._files.call_s3("put_object", Bucket=bucket.name, Key=folder, Body=b"")
    for url in (bucket.url("data/more"), bucket.url("data/more") + "/"):
        _, mirror_path = mirror_url(url, tmp_path)
        assert contents(mirror_path) == dict(sorted(FILES.items()))


def test_listings_of_several_pages_are_read(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "7")  # real stores return 1,000
    files = {f"{number:04d}.json": str(number).encode() for number in range(50)}
    fill(bucket, files)
    result, mirror_path = mirror_url(bucket.url("data/more"), tmp_path)
    assert result.files == 50
    assert contents(mirror_path) == files
    pages = [
        url_path for _, url_path in bucket.request_log.requests if "continuation-token" in url_path
    ]
    assert len(pages) >= 7


def test_web_file_is_fetched_when_its_etag_changes(web: WebServer, tmp_path: Path) -> None:
    web.pages["/data/my%20set.zip"] = Page(b"first", etag="1")
    url = f"{web.address}/data/my%20set.zip"
    result, mirror_path = mirror_url(url, tmp_path)
    assert (result.fetched, mirror_path.name, mirror_path.read_bytes()) == (
        1,
        "my set.zip",
        b"first",
    )
    web.request_log.take_paths()
    assert mirror_url(url, tmp_path)[0].fetched == 0
    assert web.request_log.take_paths() == []
    web.pages["/data/my%20set.zip"] = Page(b"other", etag="2")
    assert mirror_url(url, tmp_path)[0].fetched == 1
    assert mirror_path.read_bytes() == b"other"


def test_web_file_without_etag_is_fetched_and_compared(web: WebServer, tmp_path: Path) -> None:
    web.pages["/a/set.zip"] = Page(b"first")
    url = f"{web.address}/a/set.zip"
    _, mirror_path = mirror_url(url, tmp_path)
    before = inode_and_time(mirror_path)
    web.request_log.take_paths()
    assert mirror_url(url, tmp_path)[0].fetched == 0
    assert web.request_log.take_paths() == ["/a/set.zip"]
    assert inode_and_time(mirror_path) == before
    web.pages["/a/set.zip"] = Page(b"other")
    assert mirror_url(url, tmp_path)[0].fetched == 1
    assert mirror_path.read_bytes() == b"other"


def test_file_that_changes_during_the_copy_is_fetched_again(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    turns = iter([b"one more", b"and more"])

    def change(method: str, path: str) -> None:
        if method == "GET" and path.endswith("more/one.json"):
            bucket.request_log.before = None
            content = next(turns, None)
            if content is not None:
                bucket.put("data/more/one.json", content)
                bucket.request_log.before = change

    bucket.request_log.before = change
    result, mirror_path = mirror_url(bucket.url("data/more"), tmp_path)
    assert contents(mirror_path) == dict(sorted((FILES | {"one.json": b"and more"}).items()))
    assert result.files == 3


def test_file_that_keeps_changing_is_refused(web: WebServer, tmp_path: Path) -> None:
    def change(method: str, path: str) -> None:
        del method, path
        web.pages["/a/set.zip"] = Page(b"same", etag=str(len(web.request_log.requests)))

    web.request_log.before = change
    with pytest.raises(RunError, match=r"set\.zip: the files change while they are read"):
        mirror_url(f"{web.address}/a/set.zip", tmp_path)
    assert temporary_files(tmp_path) == []


def test_memory_file_system_is_mirrored(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    for name, content in FILES.items():
        memory.pipe_file(f"/there/{name}", content)
    try:
        result, mirror_path = mirror_url("memory://there", tmp_path)
        assert (result.fetched, contents(mirror_path)) == (3, dict(sorted(FILES.items())))
        memory.pipe_file("/there/one.json", b"8")
        assert mirror_url("memory://there", tmp_path)[0].fetched == 1
        assert (mirror_path / "one.json").read_bytes() == b"8"
    finally:
        memory.rm("/there", recursive=True)


KILLED = """
import sys
from pathlib import Path
from scrapers.mirrors import read_address
from scrapers.mirrors.local_copy import mirror
mirror(read_address(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.long
@pytest.mark.slow
def test_killed_copy_continues_without_fetching_again(bucket: Bucket, tmp_path: Path) -> None:
    files = {f"{number:02d}.bin": bytes([number]) * 50_000 for number in range(40)}
    fill(bucket, files)
    bucket.request_log.take_paths()
    started = time.monotonic()

    def delay_request(method: str, path: str) -> None:
        del method
        if path.endswith(".bin") and time.monotonic() - started < 20:
            time.sleep(0.1)

    bucket.request_log.before = delay_request
    url = bucket.url("data/more")
    run = subprocess.Popen(
        [sys.executable, "-c", KILLED, url, str(tmp_path)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if "proxy" not in name.lower()},
    )
    mirror_path = read_address(url).copy_path(tmp_path)
    _wait_for(lambda: len(list(mirror_path.glob("*.bin"))) >= 12)
    run.send_signal(signal.SIGKILL)
    run.wait()
    bucket.request_log.before = None
    assert all(content == files[name] for name, content in contents(mirror_path).items())
    earlier_files = set(contents(mirror_path))
    assert 12 <= len(earlier_files) < 40
    bucket.request_log.take_paths()
    record = next((tmp_path / INPUTS).glob("*.jsonl"))
    with record.open("ab") as file:
        file.write(b'{"name":"39.bin","sa')  # a line that was cut off by the kill
    result, _ = mirror_url(url, tmp_path)
    fetched = {Path(url_path).name for url_path in bucket.request_log.take_paths()}
    # A kill between the move of a file and its line in the record makes it fetch that file again.
    assert len(fetched & earlier_files) <= 1
    assert fetched | earlier_files == set(files)
    assert contents(mirror_path) == files
    assert result.files == 40
    assert temporary_files(tmp_path) == []
    mirror_url(url, tmp_path)
    assert bucket.request_log.take_paths() == []


def _wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)
