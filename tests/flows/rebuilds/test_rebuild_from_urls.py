"""Check that inputs behind URLs give the release of local files, and only new ones are read."""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from benchloom.release import read_manifest
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.folders import contents
from tests.support.prefect_server import clean_environment
from tests.support.stores import SECRET, Bucket, Page, WebServer, s3_bucket, web_server

pytestmark = [pytest.mark.long, pytest.mark.prefect]

NAMES = ("bread-timer.json", "call-the-office.plist", "rain-or-shine.json", "tip-for-the-waiter")
CONFIG = """[sources]
shortcuts = ["{shortcuts}", "{archive}"]
definitions = ["{definitions}"]
sgd = ["{sgd}"]
[generate]
steps = ["query", "instruction"]
writer = "template"
"""


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with s3_bucket() as test_bucket:
        yield test_bucket


@pytest.fixture
def web() -> Iterator[WebServer]:
    with web_server() as server:
        yield server


def write_world(folder: Path) -> None:
    """Write shortcuts, an archive, definitions and dialogues of the demo into a folder."""
    for path in sorted(SHORTCUTS.iterdir()):
        if path.name.startswith(NAMES):
            target = folder / "mine" / "shortcuts"
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.make_archive(str(folder / "others"), "zip", SHORTCUTS / "odd")
    shutil.copytree(DEMO / "data" / "definitions", folder / "definitions")
    shutil.copytree(DEMO / "sgd" / "train", folder / "sgd" / "train")


def put_folder(bucket: Bucket, folder: Path, name: str) -> None:
    bucket.put_all({f"{name}/{path}": data for path, data in contents(folder / name).items()})


def rebuild(folder: Path, environment: Mapping[str, str]) -> tuple[dict[str, object], str]:
    """Rebuild the configuration of a folder, and return the summary and the log."""
    command = ("rebuild", "--config", folder / "rebuild.toml", "--workspace", folder / "space")
    done = benchloom(*command, "--json", env=environment)
    assert done.returncode == 0, done.stderr
    summary: dict[str, object] = json.loads(done.stdout)
    return summary, done.stderr


def files_with_text(folder: Path, text: str) -> list[str]:
    """Return the files below a folder that contain a text."""
    return [path for path, data in contents(folder).items() if text.encode() in data]


@pytest.mark.slow
def test_release_from_urls_equals_release_from_folders(
    bucket: Bucket, web: WebServer, tmp_path: Path, prefect_url: str
) -> None:
    local, remote = tmp_path / "local", tmp_path / "remote"
    environment = clean_environment(tmp_path / "home", prefect_url) | bucket.env
    write_world(local)
    remote.mkdir()
    for name in ("mine", "definitions", "sgd"):
        put_folder(bucket, local, name)
    web.pages["/sets/others.zip"] = Page((local / "others.zip").read_bytes(), etag="1")
    (local / "rebuild.toml").write_text(
        CONFIG.format(
            shortcuts="mine/shortcuts", archive="others.zip", definitions="definitions", sgd="sgd"
        )
    )
    (remote / "rebuild.toml").write_text(
        CONFIG.format(
            shortcuts=bucket.url("mine/shortcuts") + "/",
            archive=f"{web.address}/sets/others.zip",
            definitions=bucket.url("definitions"),
            sgd=bucket.url("sgd"),
        )
    )
    bucket.request_log.take_paths()
    first_report, log = rebuild(remote, environment)
    assert len(bucket.request_log.take_paths()) == 10
    assert f"{bucket.url('definitions')}: 3 of 3 files fetched" in log

    web.request_log.take_paths()
    again, log = rebuild(remote, environment)
    assert again["unchanged"] is True
    assert "parse-shortcuts" not in log
    assert bucket.request_log.take_paths() == web.request_log.take_paths() == []
    assert "3 files, unchanged" in log

    bucket.remove("mine/shortcuts/bread-timer.json")
    bucket.put("mine/shortcuts/new.json", (SHORTCUTS / "count-the-words.json").read_bytes())
    changed, log = rebuild(remote, environment)
    assert [Path(path).name for path in bucket.request_log.take_paths()] == ["new.json"]
    (local / "mine/shortcuts/bread-timer.json").unlink()
    shutil.copy(SHORTCUTS / "count-the-words.json", local / "mine/shortcuts/new.json")
    expected, _ = rebuild(local, environment)
    assert changed["content_digest"] == expected["content_digest"]
    assert changed["content_digest"] != first_report["content_digest"]
    release = Path(str(changed["release"]))
    other = Path(str(expected["release"]))
    assert read_manifest(release).created_from == read_manifest(other).created_from
    assert files_with_text(tmp_path, SECRET) == []
    assert SECRET not in log
