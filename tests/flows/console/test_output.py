"""Tests of the progress display: they check the terminal bar and the lines elsewhere."""

import io
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchloom.core.progress import UnderWay, counted, listening, say, under_way
from flows.console.bars import format_duration, format_remaining, line_of
from flows.console.output import Lines, ProgressListener, pause_at, show_progress

COUNTING_PROGRAM = """
from flows.console.output import show_progress
from benchloom.core.progress import say, under_way
with show_progress(), under_way("count [things]", unit="things") as progress:
    progress.start(3)
    for _ in range(3):
        progress.advance()
    with under_way("within"):
        say("a [line]")
"""
ROOT = Path(__file__).resolve().parents[3]


def test_terminal_shows_a_full_bar_below_the_lines() -> None:
    master_fd, slave_fd = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", COUNTING_PROGRAM],
        stderr=slave_fd,
        check=False,
        cwd=ROOT,
        timeout=60,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(slave_fd)
    output = b""
    with os.fdopen(master_fd, "rb", buffering=0) as terminal:
        try:
            while piece := terminal.read(4096):
                output += piece
        except OSError:  # the other end is closed and all output is read
            pass
    assert done.returncode == 0
    assert b"count [things]" in output
    assert b"3 of 3 things" in output
    assert b"a [line]\r\n" in output
    assert b"within" in output
    last_line = re.split(rb"\r\n|\x1b\[1A", output)[-2]
    assert b"within" not in last_line, "a finished inner activity leaves no bar"
    assert output.endswith(b"\x1b[?25h"), "the cursor is shown again"


def test_short_run_writes_no_progress_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(), under_way("count", unit="things") as progress:
        progress.start(3)
        progress.advance(3)
    assert capsys.readouterr() == ("", "")


def test_progress_without_a_command_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with under_way("something"):
        say("a line")
    assert capsys.readouterr() == ("", "")


class Clock:
    """A clock whose time the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_progress_lines_become_less_frequent() -> None:
    clock, out = Clock(), io.StringIO()
    lines = Lines(out, clock)
    outer, inner = UnderWay("outer"), UnderWay("inner", 4, "parts")
    outer.began, inner.began = 0.0, 2.0
    inner.done = 1
    for second in range(600):
        clock.now = float(second)
        lines.show([outer, inner])
    output_lines = out.getvalue().splitlines()
    assert output_lines[0] == "inner: 1 of 4 parts, 3.0 s, about 9.0 s left"
    # Every 5 s in the first half minute, every 15 s until five minutes, then every minute.
    assert len(output_lines) == 5 + 18 + 5
    lines.say("told")
    clock.now += 1
    lines.show([outer])
    lines.show([])
    assert out.getvalue().splitlines()[-1] == "told"


def test_listener_refreshes_until_it_is_closed() -> None:
    class CountingScreen(Lines):
        every = 0.001
        looks = 0

        def show(self, open_ones: object) -> None:
            del open_ones
            self.looks += 1

    screen = CountingScreen(io.StringIO())
    listener = ProgressListener(screen)
    with listening(listener), under_way("thinking"):
        while screen.looks < 3:
            time.sleep(0.001)
    listener.close()
    later_output = io.StringIO()
    screen._out = later_output
    with listening(listener), under_way("afterwards"):
        say("afterwards")
    assert later_output.getvalue() == "", "a closed listener must write nothing"


def test_counted_iteration_reports_its_end() -> None:
    ended_progress: list[tuple[str, int, bool | None]] = []

    class Screen(Lines):
        def began(self, open_ones: object) -> None:
            del open_ones

        def ended(self, activity: UnderWay, *, well: bool) -> None:
            ended_progress.append((activity.name, activity.done, well))

    listener = ProgressListener(Screen(io.StringIO()))
    with listening(listener):
        assert list(counted("abc", "letters", 3, "letters")) == ["a", "b", "c"]
        with pytest.raises(ValueError, match="no"), under_way("failing"):
            raise ValueError("no")
    listener.close()
    assert ended_progress == [("letters", 3, True), ("failing", 0, False)]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.6, "1 min 0 s"),
        (185, "3 min 5 s"),
        (7800, "2 h 10 min"),
        (1e9, "277777 h 46 min"),
    ],
)
def test_durations_have_at_most_two_units(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_remaining_time_is_shown_once_the_pace_is_known() -> None:
    progress = UnderWay("parse", 10, "shards")
    progress.began = 0.0
    assert format_remaining(progress, 60.0) == ""
    progress.done = 1
    assert format_remaining(progress, 1.0) == ""
    assert format_remaining(progress, 10.0) == "about 1 min 30 s left"
    few_of_many = UnderWay("parse", 1000, "shards")
    few_of_many.began, few_of_many.done = 0.0, 4
    assert format_remaining(few_of_many, 10.0) == ""
    few_of_many.done = 5
    assert format_remaining(few_of_many, 10.0) == "about 33 min 10 s left"
    progress.done = 10
    assert format_remaining(progress, 10.0) == ""
    assert line_of(progress, 10.0) == "parse: 10 of 10 shards, 10 s"
    progress.detail = lambda: "parse: in other words"
    assert line_of(progress, 10.0) == "parse: in other words"


def test_pause_between_lines_grows_with_age() -> None:
    assert [pause_at(age) for age in (0, 29, 31, 299, 301, 1e6)] == [5, 5, 15, 15, 60, 60]
