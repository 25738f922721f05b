"""Start and stop schedulers and workers of Dask as separate processes on loopback."""

import operator
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from flows.run.engines import current_engine
from tests.support.prefect_server import end_process, wait_for


class _SchedulerFile(msgspec.Struct):
    address: str


class DaskProcesses:
    """A scheduler and its workers, which are stopped by their process ids."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._address = ""
        self._workers: list[subprocess.Popen[bytes]] = []

    def scheduler(self) -> str:
        """Start a scheduler and return its address."""
        words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self._scheduler = self._start([*words, "--scheduler-file", str(self._file)], self._folder)
        wait_for("the scheduler", self._file.exists)
        self._address = msgspec.json.decode(self._file.read_bytes(), type=_SchedulerFile).address
        return self._address

    def worker(self, *, threads: int = 1, folder: Path | None = None, code: bool = True) -> None:
        """Start a worker that imports packages from `folder`, and our code if `code` is true."""
        words = ["worker", "--scheduler-file", str(self._file), "--host", "127.0.0.1"]
        words += ["--nthreads", str(threads), "--no-dashboard", "--local-directory"]
        words.append(str(self._folder / f"worker-{len(self._workers)}"))
        import_folder = folder or Path(__file__).parents[2]
        self._workers.append(self._start(words, import_folder, code=code))
        from distributed import Client

        with Client(self._address, set_as_default=False) as client:
            client.wait_for_workers(len(self._workers), timeout=60)

    def end_workers(self) -> None:
        """End all workers."""
        while self._workers:
            end_process(self._workers.pop())

    def hold_scheduler(self) -> None:
        """Stop the scheduler's process, which leaves its connections open without answers."""
        assert self._scheduler is not None
        self._scheduler.send_signal(signal.SIGSTOP)

    def kill_scheduler(self) -> None:
        """Kill the scheduler without letting it close anything, as a power cut does."""
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()

    def _start(
        self, words: list[str], folder: Path, *, code: bool = True
    ) -> "subprocess.Popen[bytes]":
        # Without site hooks, which make our code importable, only other packages can be imported.
        site = [] if code else ["-S"]
        path = str(folder) if code else sysconfig.get_path("purelib")
        log = Path(f"{words[-1]}.log")
        with log.open("wb") as out:
            return subprocess.Popen(
                [sys.executable, *site, "-m", "dask", *words],
                cwd=folder,
                env=os.environ | {"PYTHONPATH": path},
                stdout=out,
                stderr=out,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end_workers()
        if self._scheduler is not None:
            end_process(self._scheduler)


def local_worker_ids(workers: int = 2) -> set[int]:
    """Return the ids of the worker processes that the run's engine has on this machine."""
    with current_engine().mapping(workers) as run:
        return set(run(operator.call, [os.getpid] * 8 * workers))


def has_imported(module: str) -> bool:
    """Return whether the calling process has imported a module."""
    return module in sys.modules


def running_processes(processes: Iterable[int]) -> list[int]:
    """Return the ids of the processes that still run."""
    return [number for number in processes if Path(f"/proc/{number}").exists()]
