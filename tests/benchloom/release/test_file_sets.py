"""Tests of file sets: rows are in the files of their split, and earlier formats stay valid."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import GateError
from benchloom.release import ReleaseTable, build_release, check_release, read_manifest
from benchloom.release.diff import diff_releases
from benchloom.release.gates import view_gate
from benchloom.release.gates.file_sets import findings
from benchloom.release.manifest import FORMER_FORMAT, ReleaseFile, file_digest
from tests.support.samples.described import build, other_rows
from tests.support.samples.small_release import (
    forge,
    replace_entry,
    small_release,
    small_stage,
)

CONFIGS_DIFFER = "README.md: the field `configs` does not match the table files of the release"
TEST, TRAIN = (f"{split}-00000-of-00001.parquet" for split in ("test", "train"))


@pytest.fixture(scope="module")
def valid_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of every table that passes the check."""
    return build(tmp_path_factory.mktemp("sound"), other_rows(["one.api"]))


@pytest.fixture
def folder(valid_release: Path, tmp_path: Path) -> Path:
    """A copy of the valid release that a test may change."""
    return Path(shutil.copytree(valid_release, tmp_path / "0.1.0"))


def gate_findings_of(folder: Path) -> list[str]:
    """Return the findings of the release gate for a folder."""
    return list(findings(view_gate(folder, read_manifest(folder))))


def move_file(folder: Path, old: str, new: str) -> None:
    """Rename a file of the release and its entry in the manifest."""
    (folder / old).rename(folder / new)
    rename_entries(folder, lambda path: new if path == old else path)


def rename_entries(folder: Path, name: Callable[[str], str]) -> None:
    """Rename the paths in the manifest of a release by a function."""
    manifest = read_manifest(folder)
    files = (msgspec.structs.replace(file, path=name(file.path)) for file in manifest.files)
    forge(folder, msgspec.structs.replace(manifest, files=tuple(files)))


def test_valid_release_has_no_findings(valid_release: Path) -> None:
    assert gate_findings_of(valid_release) == []


def test_files_with_exchanged_splits_are_reported(folder: Path) -> None:
    table_folder = folder / "planning_paths"
    (table_folder / TEST).rename(table_folder / "spare")
    (table_folder / TRAIN).rename(table_folder / TEST)
    (table_folder / "spare").rename(table_folder / TRAIN)
    for name in (TEST, TRAIN):
        replace_entry(folder, table_folder / name)
    assert gate_findings_of(folder) == [
        f"planning_paths/{TEST}: contains a row of split 'train'",
        f"planning_paths/{TRAIN}: contains a row of split 'test'",
    ]


def test_unmarked_rows_in_an_evaluable_file_are_reported(folder: Path) -> None:
    marked = "test-evaluable-00000-of-00001.parquet"
    shutil.copyfile(folder / "shortcuts" / TEST, folder / "shortcuts" / marked)
    replace_entry(folder, folder / "shortcuts" / marked)
    assert gate_findings_of(folder) == [
        f"shortcuts/{marked}: contains a row of split 'test', evaluation False",
    ]


def test_split_file_of_a_table_without_splits_is_reported(folder: Path) -> None:
    move_file(folder, "verdicts/unsplit-00000-of-00001.parquet", f"verdicts/{TEST}")
    fault_lines = gate_findings_of(folder)
    assert f"verdicts/{TEST}: its name states a split, but the table has no splits" in fault_lines
    assert (
        "README.md: the field `configs` does not match the table files of the release"
        in fault_lines
    )


def test_missing_file_of_a_set_is_reported(folder: Path) -> None:
    move_file(folder, f"queries/{TEST}", "queries/test-00001-of-00002.parquet")
    assert gate_findings_of(folder) == [
        "queries/test-*.parquet: not all of the 2 files are present",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{split: test, path: queries/test-", "{split: train, path: queries/test-"),
        ("default: true, ", ""),
        ("pretty_name:", "configs: []\npretty_name:"),
    ],
)
def test_card_with_other_table_files_is_reported(folder: Path, old: str, new: str) -> None:
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8")
    assert old in text
    card.write_text(text.replace(old, new, 1), encoding="utf-8")
    replace_entry(folder, card)
    assert gate_findings_of(folder) == [
        "README.md: the field `configs` does not match the table files of the release"
    ]


def test_release_of_the_former_format_is_checked_and_compared(tmp_path: Path) -> None:
    release = small_release(tmp_path)
    manifest = read_manifest(release)
    old = "rejected/rejected-00000.parquet"
    (release / "rejected" / "unsplit-00000-of-00001.parquet").rename(release / old)
    files = tuple(
        msgspec.structs.replace(file, path=old) if file.table == "rejected" else file
        for file in manifest.files
    )
    forge(release, msgspec.structs.replace(manifest, files=files, format=FORMER_FORMAT))
    assert check_release(release).format == FORMER_FORMAT
    folder = tmp_path / "stage-more"
    later = build_release(
        [ReleaseTable("rejected", folder)], [small_stage(folder, 5)], tmp_path / "releases"
    )
    assert (later.name, read_manifest(later).format) == ("0.1.1", "benchloom-release-2")
    diff = diff_releases(release, later)
    assert [(table.table, len(table.changes)) for table in diff.tables] == [("rejected", 2)]
    assert not diff.tables[0].schema_changed


@pytest.mark.parametrize("path", ["rejected/rejected-00000.parquet", "rejected/all.parquet"])
def test_file_name_of_another_format_is_refused(tmp_path: Path, path: str) -> None:
    release = small_release(tmp_path)
    manifest = read_manifest(release)
    old = next(file for file in manifest.files if file.table == "rejected")
    (release / old.path).rename(release / path)
    moved = ReleaseFile(
        path=path,
        bytes=old.bytes,
        sha256=file_digest(release / path),
        table="rejected",
        rows=old.rows,
    )
    files = (*(file for file in manifest.files if file is not old), moved)
    forge(release, msgspec.structs.replace(manifest, files=files))
    with pytest.raises(GateError) as caught:
        check_release(release)
    assert f"manifest.json: '{path}': is not in the folder of table 'rejected'" in str(
        caught.value.findings
    )
