"""Check that targets are found by their schemes, and that unknown schemes list the known ones."""

from pathlib import Path

import fsspec
import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.release.publication import open_target, plan_publication, publish
from benchloom.release.publication.target import TARGETS
from benchloom.release.publication.targets import filesystem
from benchloom.release.publication.targets.filesystem import FileSystemTarget
from tests.support.samples.small_release import small_release


@pytest.mark.parametrize("scheme", TARGETS.names())
def test_scheme_is_declared_by_its_target(scheme: str) -> None:
    kind = TARGETS.find(scheme)
    assert scheme in kind.SCHEMES
    assert kind.open_url.__doc__


def publishes_a_release_once(address: str, folder: Path) -> None:
    """Check that the address accepts a whole release, keeps it, and refuses another one."""
    release = small_release(folder)
    target = open_target(address)
    _, planned = plan_publication(release, target)
    assert planned[-1].path == "manifest.json"
    sent = publish(release, target)
    assert [(step.path, step.action) for step in sent] == [(s.path, "send") for s in planned]
    assert {step.action for step in publish(release, open_target(address))} == {"keep"}
    other_release = small_release(folder / "other", rows=5)
    with pytest.raises(GateError):
        plan_publication(other_release, open_target(address))


def test_folder_accepts_a_release_once(tmp_path: Path) -> None:
    publishes_a_release_once(f"file://{tmp_path / 'published'}", tmp_path)


def test_file_system_schemes_exist_in_fsspec() -> None:
    assert set(filesystem.SCHEMES) <= set(fsspec.available_protocols())


@pytest.mark.parametrize("url", ["", "file://"])
def test_paths_and_file_urls_are_folders(url: str, tmp_path: Path) -> None:
    assert isinstance(open_target(f"{url}{tmp_path}"), FileSystemTarget)


@pytest.mark.parametrize("url", ["https://example.org/x", "ZIP://x", "hugging://a/b"])
def test_unknown_scheme_lists_the_known_schemes(url: str) -> None:
    with pytest.raises(RunError, match=r"known: a folder, .*file://.*s3://"):
        open_target(url)


def test_missing_package_of_a_store_is_named() -> None:
    with pytest.raises(RunError, match=r"^sftp://host/x: .*paramiko"):
        open_target("sftp://host/x")
