"""Functions that measure the processor time and memory of commands in separate processes."""

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import TypeVar

import msgspec

T = TypeVar("T")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
"""A folder outside the project with archives of real files, which may be missing."""
_SUBREAPER = 36
"""The option of `prctl` with which orphaned processes become children of this process.

So the processes that a command leaves behind are measured, too.
"""
_VERBOSE = "--verbose"


class Usage(msgspec.Struct, frozen=True):
    """The processor seconds of all processes of a command, and the peak memory of the largest."""

    seconds: float
    peak_mib: float


def usage_of(words: Sequence[str], *, verbose: bool = False) -> Usage:
    """Return the time and memory of `python -m WORDS` and of all processes that it starts.

    If `verbose` is set, the output of the command goes to standard error; otherwise it is hidden.
    """
    return apart(Usage, __name__, *([_VERBOSE] if verbose else []), *words)


def apart(kind: type[T], *words: object) -> T:
    """Run `python -m WORDS`, and return the JSON that it prints as an object of type `kind`."""
    command = [sys.executable, "-m", *map(str, words)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return msgspec.json.decode(done.stdout, type=kind)


def print_json(value: object) -> None:
    """Print a value to standard output as one line of JSON."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def peak_mib(process: int | str = "self") -> float:
    """Return the peak memory of a process in MiB, without memory inherited from the parent.

    The alternative `ru_maxrss` includes the memory of the parent at the start of the process.
    """
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def best_seconds(
    sides: Sequence[Callable[[], object]],
    repeats: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Run the functions in turns, `repeats` times; return the shortest time of each function."""
    best = [float("inf")] * len(sides)
    for _ in range(repeats):
        for index, side in enumerate(sides):
            start = clock()
            side()
            best[index] = min(best[index], clock() - start)
    return best


def _alone(words: Sequence[str]) -> Usage:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    is_verbose = words[0] == _VERBOSE
    command = [sys.executable, "-m", *words[is_verbose:]]
    out = sys.stderr if is_verbose else subprocess.DEVNULL
    subprocess.run(command, check=True, stdout=out, stderr=out)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    usage = getrusage(RUSAGE_CHILDREN)
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    print_json(_alone(sys.argv[1:]))
