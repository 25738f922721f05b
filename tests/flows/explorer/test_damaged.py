"""Releases that lack something: what is there is shown, what is not is told."""

import shutil
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.release.manifest import Manifest, read_manifest, write_manifest
from flows.explorer.open_release import OpenRelease
from tests.flows.explorer.conftest import Opened


@pytest.fixture
def release(full: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "0.1.0"
    shutil.copytree(full, folder)
    return folder


def without(folder: Path, *tables: str) -> Path:
    """The release without some tables, with a manifest that says so."""
    manifest: Manifest = read_manifest(folder)
    files = tuple(file for file in manifest.files if file.table not in tables)
    write_manifest(folder, msgspec.structs.replace(manifest, files=files))
    return folder


def first_file(folder: Path, table: str) -> Path:
    return min((folder / table).glob("*.parquet"))


def test_a_file_that_is_gone_is_told_and_other_tables_are_shown(
    release: Path, opened: Opened
) -> None:
    first_file(release, "queries").unlink()
    pages = opened(release)
    assert "Cannot be read: queries/" in pages.get("/").text
    assert pages.get("/tables/queries").status_code == 500
    assert "is missing" in pages.get("/tables/queries").text
    assert pages.get("/plan?id=path:1").status_code == 200
    assert pages.get("/search?q=text").status_code == 200


def test_a_file_that_was_cut_is_told(release: Path, opened: Opened) -> None:
    path = first_file(release, "shortcuts")
    path.write_bytes(path.read_bytes()[:-100])
    pages = opened(release)
    assert "differs in size" in pages.get("/tables").text
    assert "<h1>Requests</h1>" in pages.get("/").text
    assert pages.get("/tables/shortcuts").status_code == 500
    assert pages.get("/tables/listings").status_code == 200
    assert pages.get("/api?name=is.workflow.actions.gettext").status_code == 200


def test_damage_inside_a_file_is_told_when_it_is_read(release: Path, opened: Opened) -> None:
    path = first_file(release, "queries")
    content = bytearray(path.read_bytes())
    content[20 : len(content) // 2] = b"\xff" * (len(content) // 2 - 20)
    path.write_bytes(bytes(content))
    answer = opened(release).get("/tables/queries")
    assert answer.status_code == 500
    assert "Damaged" in answer.text


def test_what_cannot_be_indexed_is_told_where_it_is_needed(release: Path, opened: Opened) -> None:
    for path in (release / "shortcuts").glob("*.parquet"):
        content = bytearray(path.read_bytes())
        content[8 : len(content) // 2] = b"\xff" * (len(content) // 2 - 8)
        path.write_bytes(bytes(content))
    pages = opened(release)
    assert pages.get("/tables/shortcuts?uses=is.workflow.actions.gettext").status_code == 500
    page = pages.get("/api?name=is.workflow.actions.gettext")
    assert page.status_code == 200
    assert "is not ready yet, or could not be built" in page.text


def test_a_row_of_another_version_is_told_and_listed(release: Path, opened: Opened) -> None:
    path = first_file(release, "planning_paths")
    rows = pq.read_table(path)
    pq.write_table(rows.drop_columns(["reference_mode"]), path)
    manifest = read_manifest(release)
    changed = tuple(
        msgspec.structs.replace(file, bytes=path.stat().st_size)
        if release / file.path == path
        else file
        for file in manifest.files
    )
    write_manifest(release, msgspec.structs.replace(manifest, files=changed))
    pages = opened(release)
    path_id = pq.read_table(path, columns=["path_id"])["path_id"][0].as_py()
    answer = pages.get("/plan", params={"id": path_id})
    assert (answer.status_code, "Row of another version" in answer.text) == (500, True)
    assert pages.get("/tables/planning_paths").status_code == 200


@pytest.mark.parametrize(
    "lacking",
    [("shortcuts",), ("queries", "verdicts"), ("api_definitions",), ("listings", "captures")],
)
def test_a_release_without_some_tables(
    release: Path, opened: Opened, lacking: tuple[str, ...]
) -> None:
    pages = opened(without(release, *lacking))
    assert pages.get("/").status_code == 200
    assert all(pages.get(f"/tables/{table}").status_code == 404 for table in lacking)
    assert pages.get("/search?q=a").status_code == 200
    assert pages.get("/plan?id=path:1").status_code == 200


def test_a_release_without_any_table(release: Path, opened: Opened) -> None:
    tables = read_manifest(release).tables()
    pages = opened(without(release, *tables))
    assert "This release contains no tables." in pages.get("/").text
    assert pages.get("/search?q=a").status_code == 200


def test_what_is_no_release_is_a_fault_of_one_line(release: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a release"):
        OpenRelease(tmp_path / "nowhere")
    (release / "manifest.json").write_bytes(b"{}")
    with pytest.raises(GateError, match="changed"):
        OpenRelease(release)
