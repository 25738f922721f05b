"""Processor time of a command with all that it starts, servers that outlive it included."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from resource import RUSAGE_CHILDREN, getrusage

_SUBREAPER = 36
"""Of `prctl`: processes whose parent is gone become children of this one, and are counted."""


def processor_seconds(words: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """What `python -m` with these words takes, run by an interpreter that waits for all it left."""
    command = [sys.executable, "-m", __name__, *words]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return float(ran.stdout)


def _alone(words: Sequence[str]) -> float:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    command = [sys.executable, "-m", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.stdout.write(f"{_alone(sys.argv[1:])}\n")
