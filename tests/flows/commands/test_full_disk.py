"""A disk that takes no more ends a command in one line, and running again works."""

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


def told(stopped: CompletedProcess[str], folder: Path) -> bool:
    """Whether a file in a folder is named, and why it cannot be written."""
    last = stopped.stderr.splitlines()[-1]
    is_named = last.startswith(f"benchloom: {folder}/") and ": File too large; " in last
    return is_named and "Traceback" not in stopped.stderr


@pytest.mark.long
@pytest.mark.parametrize("most", [100, 20_000])
def test_a_stage_that_does_not_fit_leaves_the_earlier_one(tmp_path: Path, most: int) -> None:
    out = tmp_path / "out"
    words = ("parse", "shortcuts", "--out", out)
    assert benchloom(*words, SHORTCUTS / "bread-timer.json").returncode == 0
    before = read_mark(out)
    stopped = benchloom(*words, SHORTCUTS, most=most)
    assert stopped.returncode == 2
    assert told(stopped, tmp_path)
    assert valid_mark(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert benchloom(*words, SHORTCUTS).returncode == 0
    assert valid_mark(out) != before


@pytest.mark.long
@pytest.mark.parametrize("most", [100, 3_000])
def test_a_release_that_does_not_fit_leaves_nothing(tmp_path: Path, most: int) -> None:
    small_stage(tmp_path / "stage")
    words = ("release", "build", "--in", tmp_path / "stage", "--workspace", tmp_path)
    stopped = benchloom(*words, most=most)
    assert stopped.returncode == 2
    assert told(stopped, tmp_path)
    assert list((tmp_path / "releases").glob("*")) == []
    again = benchloom(*words)
    assert again.returncode == 1, again.stderr  # the stage has only rejected rows
    assert "nothing was read" in again.stderr
    assert (tmp_path / "releases" / "latest.json").is_file()


@pytest.mark.parametrize(
    ("number", "named"), [(errno.ENOSPC, "there"), (errno.EDQUOT, "there"), (errno.EIO, "here")]
)
def test_of_a_copy_that_does_not_fit_the_place_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, named: str
) -> None:
    def copy() -> None:
        raise OSError(number, os.strerror(number), "here", None, "there")

    monkeypatch.setattr(cli, "build_app", lambda _word: copy)
    monkeypatch.setattr(cli, "report_aborts", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"benchloom: {named}: {os.strerror(number)}")


@pytest.mark.parametrize("fault", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")])
def test_memory_that_ends_is_one_line(
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
