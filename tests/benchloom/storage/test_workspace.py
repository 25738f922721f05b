"""Tests of stage folders: they are complete or absent, and foreign files are never changed."""

import os
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.storage.inputs.objects import TEMPORARY
from benchloom.storage.workspace import (
    StageMark,
    TemporaryFile,
    read_mark,
    remove_leftovers,
    scratch_folder,
    stage_folder,
    write_file,
    write_mark,
)
from tests.support.python import python


def write_stage(out: Path, stage: str, content: str) -> None:
    """Write a stage folder whose table contains a text."""
    with stage_folder(out, stage) as folder:
        (folder / "table").write_text(content)
        write_mark(folder, StageMark(stage=stage, key="k", objects=1, rows={}))


def test_complete_stage_replaces_its_earlier_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_stage(out, "parse", "one")
    write_stage(out, "parse", "two")
    assert (out / "table").read_text() == "two"
    assert read_mark(out) is not None
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_failed_stage_keeps_the_earlier_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_stage(out, "parse", "one")
    with pytest.raises(ZeroDivisionError), stage_folder(out, "parse") as folder:
        (folder / "table").write_text("half")
        raise ZeroDivisionError
    assert (out / "table").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_foreign_files_in_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    write_stage(tmp_path, "parse", "one")
    write_stage(tmp_path, "parse", "two")
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "table").read_text() == "two"


def test_result_of_another_stage_is_not_overwritten(tmp_path: Path) -> None:
    write_stage(tmp_path / "out", "parse", "one")
    with pytest.raises(RunError, match="contains the result of 'parse'"):
        write_stage(tmp_path / "out", "convert", "two")
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="is a file"):
        write_stage(tmp_path / "file", "parse", "one")


def test_only_leftovers_of_dead_processes_are_removed(tmp_path: Path) -> None:
    ended_process = python("-c", "import os; print(os.getpid())")
    dead = tmp_path / f".tmp-{int(ended_process.stdout)}-table"
    alive = tmp_path / f".tmp-{os.getppid()}-table"
    dead.mkdir()
    alive.write_text("in use")
    remove_leftovers(tmp_path)
    assert not dead.exists()
    assert alive.exists()


def test_file_has_old_or_new_content_never_half(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_file(path, b"old")
    temporary = TemporaryFile(path)
    temporary.path.write_bytes(b"ha")
    assert path.read_bytes() == b"old"
    temporary.discard()
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_unreadable_mark_is_reported_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "stage.json").write_text("{")
    with pytest.raises(RunError, match="run the stage again"):
        read_mark(tmp_path)


def test_scratch_folder_stays_while_it_is_used(tmp_path: Path) -> None:
    leftover = tmp_path / f"{TEMPORARY}999999999-made"
    leftover.mkdir()
    (leftover / "part").write_bytes(b"of a killed run")
    with scratch_folder(tmp_path, "made") as folder, scratch_folder(tmp_path, "beside") as beside:
        assert not leftover.exists()
        (folder / "part").write_bytes(b"of this one")
        remove_leftovers(tmp_path)
        assert sorted(tmp_path.iterdir()) == sorted([folder, beside])
        assert (folder / "part").read_bytes() == b"of this one"
    assert list(tmp_path.iterdir()) == []
    with scratch_folder(tmp_path, "made") as folder:
        folder.rename(tmp_path / "0.1.0")  # a release is named this way
    assert [path.name for path in tmp_path.iterdir()] == ["0.1.0"]
