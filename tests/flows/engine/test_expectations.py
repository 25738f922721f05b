"""Tests of the table [expect]: the rows a release must contain and may lose."""

from pathlib import Path

import msgspec
import pytest

from benchloom.release import read_manifest
from benchloom.release.manifest import write_manifest
from benchloom.storage.tables import table_names
from flows.configuration import read_configuration
from flows.configuration.faults import ConfigurationError
from flows.configuration.table import Expectations
from flows.engine.expectations import broken_expectations


def expect_rows(**rows: int) -> Expectations:
    """Return expectations from row counts by table, whose fields are created at run time."""
    return Expectations.model_validate(rows)


def write_release(folder: Path, source_release: Path, version: str, share: float = 1.0) -> Path:
    """Write a manifest like that of another release, with a share of its shortcuts."""
    manifest = read_manifest(source_release)
    files = tuple(
        msgspec.structs.replace(file, rows=int((file.rows or 0) * share))
        if file.table == "shortcuts"
        else file
        for file in manifest.files
    )
    release = folder / version
    release.mkdir()
    smaller_manifest = msgspec.structs.replace(manifest, version=version, files=files)
    write_manifest(release, smaller_manifest)
    return release


def test_too_few_rows_message_names_table_and_counts(demo_release: Path) -> None:
    rows = read_manifest(demo_release).tables()["shortcuts"]
    assert broken_expectations(expect_rows(shortcuts=rows), demo_release) == ()
    assert broken_expectations(expect_rows(shortcuts=rows + 1), demo_release) == (
        f"[expect] shortcuts: expected at least {rows + 1} rows, but the release has {rows}",
    )


@pytest.mark.parametrize(("drift", "is_broken"), [(0.0, True), (0.2, True), (0.8, False)])
def test_lost_rows_are_compared_with_the_previous_release(
    tmp_path: Path, demo_release: Path, drift: float, is_broken: bool
) -> None:
    write_release(tmp_path, demo_release, "0.9.0")
    release = write_release(tmp_path, demo_release, "0.10.0", share=0.5)
    lines = broken_expectations(Expectations(drift=drift), release)
    assert bool(lines) == is_broken
    assert all(
        "shortcuts may lose at most" in line and "in release 0.9.0" in line for line in lines
    )


def test_first_release_has_no_drift(demo_release: Path) -> None:
    assert broken_expectations(Expectations(drift=0.0), demo_release) == ()


def test_keys_are_exactly_the_table_names(tmp_path: Path) -> None:
    assert {*Expectations.model_fields} == {*table_names(), "drift"}
    path = tmp_path / "rebuild.toml"
    path.write_text("[expect]\nshortcutz = 3\n")
    with pytest.raises(ConfigurationError, match="shortcuts"):
        read_configuration(path)
