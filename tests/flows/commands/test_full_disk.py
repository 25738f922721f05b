"""Check that a full disk ends a command with one line and that a rerun succeeds."""

import errno
import os
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from benchloom.storage.workspace import read_mark, valid_mark
from flows import cli
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.samples.small_release import small_stage


def names_unwritable_file(process: CompletedProcess[str], folder: Path) -> bool:
    """Return whether the error names a file in the folder and why it cannot be written."""
    last_line = process.stderr.splitlines()[-1]
    is_named = last_line.startswith(f"benchloom: {folder}/") and ": File too large; " in last_line
    return is_named and "Traceback" not in process.stderr


@pytest.mark.long
@pytest.mark.parametrize("max_bytes", [100, 20_000])
def test_full_disk_keeps_the_earlier_stage(tmp_path: Path, max_bytes: int) -> None:
    out = tmp_path / "out"
    words = ("parse", "shortcuts", "--out", out)
    assert benchloom(*words, SHORTCUTS / "bread-timer.json").returncode == 0
    before = read_mark(out)
    stopped = benchloom(*words, SHORTCUTS, most=max_bytes)
    assert stopped.returncode == 2
    assert names_unwritable_file(stopped, tmp_path)
    assert valid_mark(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert benchloom(*words, SHORTCUTS).returncode == 0
    assert valid_mark(out) != before


@pytest.mark.long
@pytest.mark.parametrize("max_bytes", [100, 3_000])
def test_full_disk_leaves_no_partial_release(tmp_path: Path, max_bytes: int) -> None:
    small_stage(tmp_path / "stage")
    words = ("release", "build", "--in", tmp_path / "stage", "--workspace", tmp_path)
    stopped = benchloom(*words, most=max_bytes)
    assert stopped.returncode == 2
    assert names_unwritable_file(stopped, tmp_path)
    assert list((tmp_path / "releases").glob("*")) == []
    second_build = benchloom(*words)
    assert second_build.returncode == 1, second_build.stderr  # the stage has only rejected rows
    assert "nothing was read" in second_build.stderr
    assert (tmp_path / "releases" / "latest.json").is_file()


@pytest.mark.parametrize(
    ("number", "named_path"),
    [(errno.ENOSPC, "there"), (errno.EDQUOT, "there"), (errno.EIO, "here")],
)
def test_failed_copy_names_the_path_at_fault(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    named_path: str,
) -> None:
    def copy() -> None:
        raise OSError(number, os.strerror(number), "here", None, "there")

    monkeypatch.setattr(cli, "build_app", lambda _word: copy)
    monkeypatch.setattr(cli, "report_aborts", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"benchloom: {named_path}: {os.strerror(number)}")


@pytest.mark.parametrize("fault", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")])
def test_out_of_memory_is_a_one_line_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fault: Exception
) -> None:
    def fail() -> None:
        raise fault

    monkeypatch.setattr(cli, "build_app", lambda _word: fail)
    monkeypatch.setattr(cli, "report_aborts", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("benchloom: out of memory; use fewer workers")
