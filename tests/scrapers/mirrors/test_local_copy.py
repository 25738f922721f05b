"""A copy holds what its store holds: what changed comes, what is gone goes, nothing else moves."""

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


def copied(url: str, space: Path) -> tuple[MirrorResult, Path]:
    address = read_address(url)
    return mirror(address, space), address.copy_path(space)


def made(path: Path) -> tuple[int, int]:
    """Inode and modification time in ns: both change when a file is rewritten."""
    return path.stat().st_ino, path.stat().st_mtime_ns


def leftovers(space: Path) -> list[str]:
    return [path.name for path in (space / INPUTS).glob(".tmp-*")]


def test_a_folder_is_copied_and_then_only_listed(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    bucket.put("data/more-of-others/four.json", b"4")
    done, mirror_path = copied(bucket.url("data/more"), tmp_path)
    assert (done.files, done.fetched, done.removed, done.bytes) == (3, 3, 0, 3)
    assert contents(mirror_path) == dict(sorted(FILES.items()))
    assert mirror_path.parts[-3:] == (bucket.name, "data", "more")
    assert len(bucket.request_log.taken()) == 3
    again, _ = copied(bucket.url("data/more"), tmp_path)
    assert (again.fetched, again.removed, again.bytes) == (0, 0, 0)
    assert bucket.request_log.taken() == []
    assert leftovers(tmp_path) == []


def test_changed_new_and_removed_objects(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    _, mirror_path = copied(bucket.url("data"), tmp_path)
    before = made(mirror_path / "more/inner/two.json")
    bucket.put("data/more/one.json", b"9")
    bucket.put("data/new.json", b"new")
    bucket.remove("data/more/inner/deep/three.json")
    bucket.request_log.taken()
    done, _ = copied(bucket.url("data"), tmp_path)
    assert (done.files, done.fetched, done.removed) == (3, 2, 1)
    assert sorted(bucket.request_log.taken()) == [
        f"/{bucket.name}/data/more/one.json",
        f"/{bucket.name}/data/new.json",
    ]
    assert contents(mirror_path) == {
        "more/inner/two.json": b"22",
        "more/one.json": b"9",
        "new.json": b"new",
    }
    assert not (mirror_path / "more/inner/deep").exists()
    assert made(mirror_path / "more/inner/two.json") == before


def test_what_somebody_did_to_a_copy_is_undone(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    _, mirror_path = copied(bucket.url("data/more"), tmp_path)
    two = mirror_path / "inner/two.json"
    times = two.stat()
    two.write_bytes(b"2x")
    os.utime(two, ns=(times.st_atime_ns, times.st_mtime_ns))
    (mirror_path / "one.json").unlink()
    (mirror_path / "one.json").mkdir()
    (mirror_path / "one.json/foreign").write_bytes(b"foreign")
    (mirror_path / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "mine").write_bytes(b"mine")
    copied(bucket.url("data/more"), tmp_path)
    assert contents(mirror_path) == dict(sorted(FILES.items()))
    assert (tmp_path / "mine").read_bytes() == b"mine"


def test_one_file_and_a_file_that_becomes_a_folder(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("data/thing", b"file")
    done, mirror_path = copied(bucket.url("data/thing"), tmp_path)
    assert (done.files, mirror_path.read_bytes()) == (1, b"file")
    bucket.remove("data/thing")
    bucket.put("data/thing/inner", b"folder")
    _, mirror_path = copied(bucket.url("data/thing"), tmp_path)
    assert contents(mirror_path) == {"inner": b"folder"}


def test_objects_that_consoles_make_for_folders_are_none(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    for folder in ("data/", "data/more/", "data/more/inner/"):
        bucket._files.call_s3("put_object", Bucket=bucket.name, Key=folder, Body=b"")
    for url in (bucket.url("data/more"), bucket.url("data/more") + "/"):
        _, mirror_path = copied(url, tmp_path)
        assert contents(mirror_path) == dict(sorted(FILES.items()))


def test_more_than_one_listing_holds(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "7")  # of a real store 1,000
    files = {f"{number:04d}.json": str(number).encode() for number in range(50)}
    fill(bucket, files)
    done, mirror_path = copied(bucket.url("data/more"), tmp_path)
    assert done.files == 50
    assert contents(mirror_path) == files
    pages = [
        url_path for _, url_path in bucket.request_log.requests if "continuation-token" in url_path
    ]
    assert len(pages) >= 7


def test_a_web_file_is_asked_for_and_fetched_when_it_changed(
    web: WebServer, tmp_path: Path
) -> None:
    web.pages["/data/my%20set.zip"] = Page(b"first", etag="1")
    url = f"{web.address}/data/my%20set.zip"
    done, mirror_path = copied(url, tmp_path)
    assert (done.fetched, mirror_path.name, mirror_path.read_bytes()) == (1, "my set.zip", b"first")
    web.request_log.taken()
    assert copied(url, tmp_path)[0].fetched == 0
    assert web.request_log.taken() == []
    web.pages["/data/my%20set.zip"] = Page(b"other", etag="2")
    assert copied(url, tmp_path)[0].fetched == 1
    assert mirror_path.read_bytes() == b"other"


def test_what_says_nothing_of_itself_is_fetched_and_compared(
    web: WebServer, tmp_path: Path
) -> None:
    web.pages["/a/set.zip"] = Page(b"first")
    url = f"{web.address}/a/set.zip"
    _, mirror_path = copied(url, tmp_path)
    before = made(mirror_path)
    web.request_log.taken()
    assert copied(url, tmp_path)[0].fetched == 0
    assert web.request_log.taken() == ["/a/set.zip"]
    assert made(mirror_path) == before
    web.pages["/a/set.zip"] = Page(b"other")
    assert copied(url, tmp_path)[0].fetched == 1
    assert mirror_path.read_bytes() == b"other"


def test_what_changes_while_it_is_fetched_is_fetched_again(bucket: Bucket, tmp_path: Path) -> None:
    fill(bucket, FILES)
    turns = iter([b"one more", b"and more"])

    def change(method: str, place: str) -> None:
        if method == "GET" and place.endswith("more/one.json"):
            bucket.request_log.before = None
            content = next(turns, None)
            if content is not None:
                bucket.put("data/more/one.json", content)
                bucket.request_log.before = change

    bucket.request_log.before = change
    done, mirror_path = copied(bucket.url("data/more"), tmp_path)
    assert contents(mirror_path) == dict(sorted((FILES | {"one.json": b"and more"}).items()))
    assert done.files == 3


def test_what_changes_all_the_time_is_given_up(web: WebServer, tmp_path: Path) -> None:
    def change(method: str, place: str) -> None:
        del method, place
        web.pages["/a/set.zip"] = Page(b"same", etag=str(len(web.request_log.requests)))

    web.request_log.before = change
    with pytest.raises(RunError, match=r"set\.zip: the files change while they are read"):
        copied(f"{web.address}/a/set.zip", tmp_path)
    assert leftovers(tmp_path) == []


def test_other_file_systems_are_read_like_these(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    for name, content in FILES.items():
        memory.pipe_file(f"/there/{name}", content)
    try:
        done, mirror_path = copied("memory://there", tmp_path)
        assert (done.fetched, contents(mirror_path)) == (3, dict(sorted(FILES.items())))
        memory.pipe_file("/there/one.json", b"8")
        assert copied("memory://there", tmp_path)[0].fetched == 1
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
def test_a_killed_copy_goes_on(bucket: Bucket, tmp_path: Path) -> None:
    files = {f"{number:02d}.bin": bytes([number]) * 50_000 for number in range(40)}
    fill(bucket, files)
    bucket.request_log.taken()
    started = time.monotonic()

    def hold(method: str, place: str) -> None:
        del method
        if place.endswith(".bin") and time.monotonic() - started < 20:
            time.sleep(0.1)

    bucket.request_log.before = hold
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
    there = set(contents(mirror_path))
    assert 12 <= len(there) < 40
    bucket.request_log.taken()
    record = next((tmp_path / INPUTS).glob("*.jsonl"))
    with record.open("ab") as file:
        file.write(b'{"name":"39.bin","sa')  # as a kill in the midst of a line leaves it
    done, _ = copied(url, tmp_path)
    fetched = {Path(url_path).name for url_path in bucket.request_log.taken()}
    # A file may have come to its place a moment before its line.
    assert len(fetched & there) <= 1
    assert fetched | there == set(files)
    assert contents(mirror_path) == files
    assert done.files == 40
    assert leftovers(tmp_path) == []
    copied(url, tmp_path)
    assert bucket.request_log.taken() == []


def _wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
