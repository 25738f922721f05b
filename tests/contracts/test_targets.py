"""Every kind of target is found by its schemes, and an unknown scheme names the known ones."""

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
def test_a_kind_knows_its_schemes(scheme: str) -> None:
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
    other = small_release(folder / "other", rows=5)
    with pytest.raises(GateError):
        plan_publication(other, open_target(address))


def test_a_folder_takes_a_release(tmp_path: Path) -> None:
    publishes_a_release_once(f"file://{tmp_path / 'published'}", tmp_path)


def test_the_stores_are_those_that_fsspec_knows() -> None:
    assert set(filesystem.SCHEMES) <= set(fsspec.available_protocols())


@pytest.mark.parametrize("url", ["", "file://"])
def test_a_path_is_a_folder(url: str, tmp_path: Path) -> None:
    assert isinstance(open_target(f"{url}{tmp_path}"), FileSystemTarget)


@pytest.mark.parametrize("url", ["https://example.org/x", "ZIP://x", "hugging://a/b"])
def test_an_unknown_scheme_names_the_known_ones(url: str) -> None:
    with pytest.raises(RunError, match=r"known: a folder, .*file://.*s3://"):
        open_target(url)


def test_a_store_whose_package_is_missing_is_named() -> None:
    with pytest.raises(RunError, match=r"^sftp://host/x: .*paramiko"):
        open_target("sftp://host/x")
