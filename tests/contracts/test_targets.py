"""Every kind of target is found by its schemes, and an unknown scheme names the known ones."""

from pathlib import Path

import fsspec
import pytest

from benchloom.errors import RunError
from benchloom.release.publishing import FileSystemTarget, open_target
from benchloom.release.publishing.registry import TARGETS
from benchloom.release.publishing.targets import filesystem


@pytest.mark.parametrize("scheme", TARGETS.names())
def test_a_kind_opens_addresses_or_says_what_is_missing(scheme: str) -> None:
    kind = TARGETS.find(scheme)
    assert scheme in kind.SCHEMES
    assert kind.open_url.__doc__


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
