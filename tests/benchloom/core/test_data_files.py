"""Check that data files beside the code are found from any working directory."""

import zipfile
from pathlib import Path

import pytest

from benchloom.core.data_files import checkout, data_path
from benchloom.core.errors import RunError


def test_data_file_is_found_from_any_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_path("demo", "rebuild.toml").is_file()
    assert not data_path("demo", "no-such-file").exists()


def test_checkout_is_the_root_of_the_repository() -> None:
    assert checkout() == Path(__file__).resolve().parents[3]


def test_data_file_inside_a_zipped_package_raises_run_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as zip_file:
        zip_file.writestr("packed_members/__init__.py", "")
        zip_file.writestr("packed_members/rows.yaml", "[]")
    monkeypatch.syspath_prepend(archive)
    with pytest.raises(RunError, match="packed_members is inside an archive"):
        data_path("packed_members", "rows.yaml")
