"""Data files beside the code."""

import zipfile
from pathlib import Path

import pytest

from benchloom.core.data_files import checkout, data_path
from benchloom.core.errors import RunError


def test_a_file_beside_the_code_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_path("demo", "rebuild.toml").is_file()
    assert not data_path("demo", "no-such-file").exists()


def test_the_tests_run_in_a_checkout() -> None:
    assert checkout() == Path(__file__).resolve().parents[3]


def test_a_package_in_an_archive_is_one_typed_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("packed_members/__init__.py", "")
        written.writestr("packed_members/rows.yaml", "[]")
    monkeypatch.syspath_prepend(archive)
    with pytest.raises(RunError, match="packed_members is inside an archive"):
        data_path("packed_members", "rows.yaml")
