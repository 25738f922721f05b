"""Run commands whose workers are killed at random moments that a seed determines."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

_POLL_SECONDS = 0.002


@dataclass(frozen=True)
class EndedCommand:
    """An ended command with its exit code, its standard error and the number of killed workers."""

    code: int
    errors: str
    killed: int

    def is_in_order(self) -> bool:
        """Return whether the command finished, or one line reports the lost work and a remedy."""
        lines = [line for line in self.errors.splitlines() if line.startswith("benchloom: ")]
        if "Traceback" in self.errors or "Error" in self.errors:
            return False
        if self.code == 0:
            return not lines
        return self.code == 2 and len(lines) == 1 and "two processes died" in lines[0]


def run_and_kill_workers(
    words: Iterable[object],
    chance: Random,
    seconds: float,
    most: int,
    environment: Mapping[str, str],
) -> EndedCommand:
    """Run `benchloom WORDS` and kill up to `most` workers from a random moment on."""
    with subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *map(str, words)],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        start_of_kills = time.monotonic() + chance.uniform(0, seconds)
        killed: set[int] = set()
        # Looking for workers reads all child processes, which slows the command.
        while command.poll() is None and time.monotonic() < start_of_kills:
            time.sleep(_POLL_SECONDS)
        while command.poll() is None and len(killed) < most:
            workers = [
                process_id for process_id in _workers(command.pid) if process_id not in killed
            ]
            if workers:
                worker = chance.choice(workers)
                killed.add(worker)
                os.kill(worker, signal.SIGKILL)
            time.sleep(_POLL_SECONDS)
        _, errors = command.communicate(timeout=600)
    return EndedCommand(command.returncode, errors, len(killed))


def _workers(command: int) -> list[int]:
    """Return the ids of the processes that the fork server of a command has forked."""
    servers = [
        process_id
        for process_id in _children(command)
        if b"multiprocessing.forkserver" in _words(process_id)
    ]
    return [worker for server in servers for worker in _children(server)]


def _children(process: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        child_ids = [
            int(child_id) for task in tasks for child_id in (task / "children").read_text().split()
        ]
    except OSError:
        return []
    return child_ids


def _words(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
