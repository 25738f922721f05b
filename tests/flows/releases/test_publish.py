"""Check that publishing to a folder or S3 is complete or invisible, and can be resumed."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.release import check_release
from benchloom.release.publication import plan_publication, publish
from benchloom.release.publication.targets.filesystem import FileSystemTarget
from tests.support.folders import contents
from tests.support.stores import s3_environment, s3_server


@pytest.fixture(scope="module")
def release(built_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(built_release, tmp_path_factory.mktemp("releases") / built_release.name)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start an S3 server on loopback and return the URL of a folder in a bucket."""
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with s3_server() as address:
        for name, value in s3_environment(address).items():
            monkeypatch.setenv(name, value)
        target = FileSystemTarget("s3://releases/data")
        target._files.mkdir("releases")
        yield "s3://releases/data"


def test_published_folder_contains_the_same_files(release: Path, tmp_path: Path) -> None:
    target = FileSystemTarget(str(tmp_path / "shop"))
    steps = publish(release, target)
    assert [step.action for step in steps] == ["send"] * len(steps)
    assert [step.path for step in steps[-2:]] == ["manifest.sha256", "manifest.json"]
    assert contents(tmp_path / "shop" / release.name) == contents(release)
    check_release(tmp_path / "shop" / release.name)
    assert {step.action for step in publish(release, target)} == {"keep"}


@contextmanager
def limit_file_size(max_bytes: int) -> Iterator[None]:
    """Let this process write no larger files, as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_target_is_named_and_second_publication_completes_it(
    release: Path, tmp_path: Path
) -> None:
    target_folder = tmp_path / "full"
    largest = max(path.stat().st_size for path in release.rglob("*"))
    with limit_file_size(largest // 2), pytest.raises(RunError) as caught:
        publish(release, FileSystemTarget(str(target_folder)))
    message = str(caught.value)
    assert message.startswith(f"{target_folder}: cannot write {release.name}/")
    assert message.endswith(
        ": File too large; written files remain in the folder; publish again to write the rest"
    )
    assert str(release) not in message
    assert list(target_folder.rglob("*.part")) == []
    actions = {step.action for step in publish(release, FileSystemTarget(str(target_folder)))}
    assert actions == {"send", "keep"}
    assert contents(target_folder / release.name) == contents(release)


def test_second_publication_completes_partial_or_damaged_upload(
    release: Path, tmp_path: Path
) -> None:
    target = FileSystemTarget(str(tmp_path))
    publish(release, target)
    (tmp_path / release.name / "manifest.json").unlink()
    table = tmp_path / release.name / "shortcuts" / "train-00000-of-00001.parquet"
    table.write_bytes(table.read_bytes()[:100])
    sent_paths = [step.path for step in publish(release, target) if step.action == "send"]
    assert sent_paths == ["shortcuts/train-00000-of-00001.parquet", "manifest.json"]
    check_release(tmp_path / release.name)


def test_published_version_is_never_replaced(release: Path, tmp_path: Path) -> None:
    target = FileSystemTarget(str(tmp_path))
    publish(release, target)
    (tmp_path / release.name / "manifest.json").write_text("{}")
    with pytest.raises(GateError, match="is already published with other content"):
        plan_publication(release, target)


def test_unsound_release_is_not_published(release: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / release.name
    shutil.copytree(release, copy)
    (copy / "README.md").write_text("changed")
    with pytest.raises(GateError):
        publish(copy, FileSystemTarget(str(tmp_path / "shop")))
    assert not (tmp_path / "shop").exists()


def test_missing_s3_credentials_are_reported(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    with pytest.raises(RunError, match=r"^s3://releases/none: .*credentials"):
        publish(release, FileSystemTarget("s3://releases/none"))


PUBLISH_SLOWLY = """
import sys, time
from pathlib import Path
from benchloom.release.publication import publish
from benchloom.release.publication.targets.filesystem import FileSystemTarget
def report(step):
    print(step.path, flush=True)
    time.sleep(60)
publish(Path(sys.argv[1]), FileSystemTarget(sys.argv[2]), report)
"""


@pytest.mark.long
def test_killed_upload_to_s3_stays_invisible_until_completed(
    release: Path, s3: str, tmp_path: Path
) -> None:
    target = FileSystemTarget(s3)
    manifest = f"{release.name}/manifest.json"
    command = [sys.executable, "-c", PUBLISH_SLOWLY, str(release), s3]
    run = subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    first = f"{release.name}/{run.stdout.readline().strip()}"
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=30)
    assert target.digest(first) is not None
    assert target.digest(manifest) is None
    assert target.digest("latest.json") is None
    steps = publish(release, target)
    assert {step.action for step in steps} == {"keep", "send"}
    assert {step.action for step in publish(release, target)} == {"keep"}
    target._files.get(f"{target._root}/{release.name}", str(tmp_path / "back"), recursive=True)
    downloaded = next(path.parent for path in (tmp_path / "back").rglob("manifest.json"))
    assert contents(downloaded) == contents(release)
