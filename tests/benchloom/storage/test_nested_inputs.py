"""Tests of nested inputs: archives in archives are read within bounds, databases with their log."""

import sqlite3
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs.nested import list_nested_objects, read_database
from tests.benchloom.storage.inputs.test_reached import content
from tests.support.samples.bundles import zip_of

MEMBERS = {"a.txt": b"alpha" * 4000, "deep/b.txt": b"beta"}


def read_all(*inputs: Path) -> dict[str, bytes | str]:
    """Return the bytes of every object, or the reason why it cannot be read, by source URI."""
    with ExitStack() as stack:
        return {
            source_object.source_uri: content(source_object)
            for source_object in list_nested_objects(inputs, stack)
        }


@pytest.mark.parametrize("outer", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("inner", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_nested_archives_in_a_folder_are_read(tmp_path: Path, outer: int, inner: int) -> None:
    ipa = zip_of(MEMBERS, inner)
    (tmp_path / "all.zip").write_bytes(zip_of({"x/one.ipa": ipa, "two.ipa": ipa}, outer))
    (tmp_path / "three.ipa").write_bytes(ipa)
    contents = read_all(tmp_path)
    assert contents == {
        f"{archive}!{name}": data
        for archive in ("all.zip!x/one.ipa", "all.zip!two.ipa", "three.ipa")
        for name, data in MEMBERS.items()
    }


def test_archive_nested_too_deep_is_rejected(tmp_path: Path) -> None:
    data = zip_of(MEMBERS)
    for _ in range(4):
        data = zip_of({"in.zip": data}, zipfile.ZIP_STORED)
    (tmp_path / "a.zip").write_bytes(data)
    assert set(read_all(tmp_path / "a.zip").values()) == {"nested_too_deep"}


def test_invalid_inner_archive_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"bad.ipa": b"no zip at all", "ok.txt": b"fine"}))
    assert read_all(tmp_path / "a.zip") == {"a.zip!bad.ipa": "bad_archive", "a.zip!ok.txt": b"fine"}


def test_inner_bombs_and_escapes_are_refused(tmp_path: Path) -> None:
    bomb = zip_of({"bomb.plist": bytes(20_000_000), "../../out.plist": b"x"})
    (tmp_path / "a.zip").write_bytes(zip_of({"in.ipa": bomb}))
    assert read_all(tmp_path / "a.zip") == {
        "a.zip!in.ipa!../../out.plist": "path_escape",
        "a.zip!in.ipa!bomb.plist": "inflates_too_much",
    }


def test_member_without_a_name_does_not_hide_others(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"": b"nameless", "b.txt": b"named"}))
    assert read_all(tmp_path / "a.zip")["a.zip!b.txt"] == b"named"


def test_missing_and_empty_inputs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such file"):
        read_all(tmp_path / "gone")
    with pytest.raises(RunError, match="nothing to read"):
        read_all(tmp_path)


def open_database(folder: Path) -> tuple[Path, sqlite3.Connection]:
    """Return an open database whose last row is only in the write-ahead log."""
    path = folder / "Tools-active"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("CREATE TABLE Tools (id TEXT)")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("INSERT INTO Tools VALUES ('org.example.late')")
    connection.commit()
    return path, connection


def test_open_database_is_read_with_its_log_and_unchanged(tmp_path: Path) -> None:
    path, connection = open_database(tmp_path)
    try:
        before = path.read_bytes()
        data = read_database(path, 1 << 20)
        assert path.read_bytes() == before
    finally:
        connection.close()
    copy = sqlite3.connect(":memory:")
    copy.deserialize(data)
    assert copy.execute("SELECT id FROM Tools").fetchall() == [("org.example.late",)]
    copy.close()


def test_database_over_the_limit_is_refused(tmp_path: Path) -> None:
    path, connection = open_database(tmp_path)
    try:
        with pytest.raises(RejectedInputError, match="limit"):
            read_database(path, 100)
    finally:
        connection.close()
