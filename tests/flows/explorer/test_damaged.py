"""Check that incomplete releases show their readable tables and report the damaged ones."""

import shutil
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.release.manifest import Manifest, read_manifest, write_manifest
from flows.explorer.open_release import OpenRelease
from tests.flows.explorer.conftest import PageOpener


@pytest.fixture
def release(full_release: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "0.1.0"
    shutil.copytree(full_release, folder)
    return folder


def remove_tables(folder: Path, *tables: str) -> Path:
    """Remove tables from the manifest of the release."""
    manifest: Manifest = read_manifest(folder)
    files = tuple(file for file in manifest.files if file.table not in tables)
    write_manifest(folder, msgspec.structs.replace(manifest, files=files))
    return folder


def first_file(folder: Path, table: str) -> Path:
    return min((folder / table).glob("*.parquet"))


def test_missing_file_is_reported_and_other_tables_are_shown(
    release: Path, open_pages: PageOpener
) -> None:
    first_file(release, "queries").unlink()
    pages = open_pages(release)
    assert "Cannot be read: queries/" in pages.get("/").text
    assert pages.get("/tables/queries").status_code == 500
    assert "is missing" in pages.get("/tables/queries").text
    assert pages.get("/plan?id=path:1").status_code == 200
    assert pages.get("/search?q=text").status_code == 200


def test_truncated_file_is_reported(release: Path, open_pages: PageOpener) -> None:
    path = first_file(release, "shortcuts")
    path.write_bytes(path.read_bytes()[:-100])
    pages = open_pages(release)
    assert "differs in size" in pages.get("/tables").text
    assert "<h1>Requests</h1>" in pages.get("/").text
    assert pages.get("/tables/shortcuts").status_code == 500
    assert pages.get("/tables/listings").status_code == 200
    assert pages.get("/api?name=is.workflow.actions.gettext").status_code == 200


def test_damage_within_a_file_is_reported_on_read(release: Path, open_pages: PageOpener) -> None:
    path = first_file(release, "queries")
    content = bytearray(path.read_bytes())
    content[20 : len(content) // 2] = b"\xff" * (len(content) // 2 - 20)
    path.write_bytes(bytes(content))
    response = open_pages(release).get("/tables/queries")
    assert response.status_code == 500
    assert "Damaged" in response.text


def test_failed_index_is_reported_on_pages_that_need_it(
    release: Path, open_pages: PageOpener
) -> None:
    for path in (release / "shortcuts").glob("*.parquet"):
        content = bytearray(path.read_bytes())
        content[8 : len(content) // 2] = b"\xff" * (len(content) // 2 - 8)
        path.write_bytes(bytes(content))
    pages = open_pages(release)
    assert pages.get("/tables/shortcuts?uses=is.workflow.actions.gettext").status_code == 500
    page = pages.get("/api?name=is.workflow.actions.gettext")
    assert page.status_code == 200
    assert "is not ready yet, or could not be built" in page.text


def test_row_with_an_old_schema_is_reported_and_listed(
    release: Path, open_pages: PageOpener
) -> None:
    path = first_file(release, "planning_paths")
    rows = pq.read_table(path)
    pq.write_table(rows.drop_columns(["reference_mode"]), path)
    manifest = read_manifest(release)
    changed_files = tuple(
        msgspec.structs.replace(file, bytes=path.stat().st_size)
        if release / file.path == path
        else file
        for file in manifest.files
    )
    write_manifest(release, msgspec.structs.replace(manifest, files=changed_files))
    pages = open_pages(release)
    path_id = pq.read_table(path, columns=["path_id"])["path_id"][0].as_py()
    response = pages.get("/plan", params={"id": path_id})
    assert (response.status_code, "Row of another version" in response.text) == (500, True)
    assert pages.get("/tables/planning_paths").status_code == 200


@pytest.mark.parametrize(
    "missing_tables",
    [("shortcuts",), ("queries", "verdicts"), ("api_definitions",), ("listings", "captures")],
)
def test_release_without_some_tables_shows_the_others(
    release: Path, open_pages: PageOpener, missing_tables: tuple[str, ...]
) -> None:
    pages = open_pages(remove_tables(release, *missing_tables))
    assert pages.get("/").status_code == 200
    assert all(pages.get(f"/tables/{table}").status_code == 404 for table in missing_tables)
    assert pages.get("/search?q=a").status_code == 200
    assert pages.get("/plan?id=path:1").status_code == 200


def test_release_without_tables_has_a_start_page(release: Path, open_pages: PageOpener) -> None:
    tables = read_manifest(release).tables()
    pages = open_pages(remove_tables(release, *tables))
    assert "This release contains no tables." in pages.get("/").text
    assert pages.get("/search?q=a").status_code == 200


def test_invalid_release_folder_is_an_error(release: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a release"):
        OpenRelease(tmp_path / "nowhere")
    (release / "manifest.json").write_bytes(b"{}")
    with pytest.raises(GateError, match="changed"):
        OpenRelease(release)
