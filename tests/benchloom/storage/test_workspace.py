"""Stage folders are complete or absent, and never take what is not theirs."""

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


def fill(out: Path, stage: str, content: str) -> None:
    with stage_folder(out, stage) as folder:
        (folder / "table").write_text(content)
        write_mark(folder, StageMark(stage=stage, key="k", objects=1, rows={}))


def test_a_stage_appears_whole_and_replaces_its_earlier_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, "parse", "one")
    fill(out, "parse", "two")
    assert (out / "table").read_text() == "two"
    assert read_mark(out) is not None
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_fault_leaves_the_earlier_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, "parse", "one")
    with pytest.raises(ZeroDivisionError), stage_folder(out, "parse") as folder:
        (folder / "table").write_text("half")
        raise ZeroDivisionError
    assert (out / "table").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    fill(tmp_path, "parse", "one")
    fill(tmp_path, "parse", "two")
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "table").read_text() == "two"


def test_the_result_of_another_stage_is_not_overwritten(tmp_path: Path) -> None:
    fill(tmp_path / "out", "parse", "one")
    with pytest.raises(RunError, match="contains the result of 'parse'"):
        fill(tmp_path / "out", "convert", "two")
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="is a file"):
        fill(tmp_path / "file", "parse", "one")


def test_leftovers_of_dead_processes_go_those_of_living_ones_stay(tmp_path: Path) -> None:
    gone = python("-c", "import os; print(os.getpid())")
    dead = tmp_path / f".tmp-{int(gone.stdout)}-table"
    alive = tmp_path / f".tmp-{os.getppid()}-table"
    dead.mkdir()
    alive.write_text("in use")
    remove_leftovers(tmp_path)
    assert not dead.exists()
    assert alive.exists()


def test_a_file_is_old_or_new_never_half(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_file(path, b"old")
    temporary = TemporaryFile(path)
    temporary.path.write_bytes(b"ha")
    assert path.read_bytes() == b"old"
    temporary.discard()
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_an_unreadable_mark_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "stage.json").write_text("{")
    with pytest.raises(RunError, match="run the stage again"):
        read_mark(tmp_path)


def test_a_scratch_folder_stays_while_it_is_used(tmp_path: Path) -> None:
    left = tmp_path / f"{TEMPORARY}999999999-made"
    left.mkdir()
    (left / "part").write_bytes(b"of a killed run")
    with scratch_folder(tmp_path, "made") as folder, scratch_folder(tmp_path, "beside") as beside:
        assert not left.exists()
        (folder / "part").write_bytes(b"of this one")
        remove_leftovers(tmp_path)
        assert sorted(tmp_path.iterdir()) == sorted([folder, beside])
        assert (folder / "part").read_bytes() == b"of this one"
    assert list(tmp_path.iterdir()) == []
    with scratch_folder(tmp_path, "made") as folder:
        folder.rename(tmp_path / "0.1.0")  # as a release gets its name
    assert [path.name for path in tmp_path.iterdir()] == ["0.1.0"]
