"""Progress: a bar on a terminal, silence or lines elsewhere."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from flows.stages import progress
from flows.stages.progress import Progress

COUNT = """
from flows.stages.progress import Progress
with Progress("count [things]") as progress:
    progress.start(3)
    for _ in range(3):
        progress.advance()
"""
ROOT = Path(__file__).resolve().parents[3]


def test_a_terminal_gets_a_bar_that_ends_full() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        stderr=theirs,
        check=False,
        cwd=ROOT,
        timeout=60,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        try:
            while piece := terminal.read(4096):
                shown += piece
        except OSError:  # the other end is closed and everything is read
            pass
    assert done.returncode == 0
    assert b"count [things]" in shown
    assert b"3/3" in shown
    assert shown.endswith(b"\x1b[?25h"), "the cursor is shown again"


def test_a_short_run_writes_nothing_into_a_file() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_long_run_writes_lines_into_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    with Progress("count") as counted:
        counted.advance()
        counted.start(2)
        counted.advance(2)
    assert capsys.readouterr().err == "count: 1\ncount: 2 of 2\n"
