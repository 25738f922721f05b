"""Tasks for trainers: exports of 5,000 of them, and 200 attempts at once.

The tasks are drawn and proved in the everyday world, and repeated with other ids. Each figure comes
from a process of its own.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import digest_of_parts
from benchloom.core.records import Task as TaskRow
from benchloom.worlds.proving import Grounds, prove, row_of
from benchloom.worlds.runs.reading import read_tasks
from benchloom.worlds.runs.shelf import Shelf
from benchloom.worlds.serving.attempts import Attempts
from benchloom.worlds.suites.everyday import candidates
from benchloom.worlds.task import Task
from benchloom.worlds.task_formats import TASK_FORMATS
from benchmarks.sgd import own_peak
from flows.stages.export.tasks import export_tasks
from tests.support.samples.plan_release import plan_release

TASKS = 5_000
DRAWN = 50
SESSIONS = 200
ATTEMPTS = "attempts"


def ratios() -> list[tuple[str, float, str]]:
    """Seconds (of the processor) and MiB of each form, and MiB of attempts that are all open."""
    figures: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        release = plan_release(Path(scratch) / "release", (), tasks=list(_rows()))
        for name in TASK_FORMATS.names():
            seconds, peak = _alone(name, release, scratch)
            figures += [
                (f"{name}, {TASKS} tasks, seconds", seconds, "< 60"),
                (f"{name}, peak memory, MiB", peak, "< 500"),
            ]
        _, peak = _alone(ATTEMPTS, release, scratch)
    return [
        *figures,
        (f"{SESSIONS} attempts open, each after all its calls, peak MiB", peak, "<= 1024"),
    ]


def _alone(name: str, release: Path, scratch: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.trainers", name, str(release), scratch]
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak = map(float, finished.stdout.split())
    return seconds, peak


def _rows() -> Iterator[TaskRow]:
    rows = [row_of(task) for task in _drawn()]
    for number in range(TASKS):
        row = rows[number % DRAWN]
        task_id = digest_of_parts("task", (row.task_id, str(number)))
        yield msgspec.structs.replace(row, task_id=task_id)


def _drawn() -> Iterator[Task]:
    grounds, count = Grounds(), 0
    for candidate in candidates([], 0):
        if count == DRAWN:
            break
        try:
            yield prove(candidate, grounds)
        except RejectedInputError:
            continue
        count += 1
    grounds.close()


def _play(release: Path) -> None:
    """Open attempts and make all calls of each; none is closed."""
    attempts = Attempts(Shelf(read_tasks(release)), most=SESSIONS)
    for task_id in list(attempts.shelf)[:SESSIONS]:
        attempt = attempts.open(task_id)
        if attempt is None:
            sys.exit("an attempt could not be opened")
        for call in attempt.task.calls:
            attempt.call(call.tool.replace(".", "__"), call.arguments)


if __name__ == "__main__":
    start = time.process_time()
    if sys.argv[1] == ATTEMPTS:
        _play(Path(sys.argv[2]))
    else:
        export_tasks(Path(sys.argv[2]), sys.argv[1], Path(sys.argv[3]) / sys.argv[1])
    print(time.process_time() - start, own_peak() / 1024)
