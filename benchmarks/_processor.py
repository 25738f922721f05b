"""Processor time and memory of a command and its processes, servers that outlive it included."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from resource import RUSAGE_CHILDREN, getrusage

import msgspec

_SUBREAPER = 36
"""Option of `prctl` that makes orphaned processes children of this one, so they are counted."""
_TOLD = "--told"


class Used(msgspec.Struct, frozen=True):
    """Processor seconds of all processes, and the most memory that one of them held."""

    seconds: float
    peak_mib: float


def processor_seconds(words: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """Return the processor seconds of `python -m WORDS` and of every process that it leaves."""
    return used(words, environment).seconds


def used(
    words: Sequence[str], environment: Mapping[str, str] | None = None, *, told: bool = False
) -> Used:
    """Return time and memory; if `told` is set, the command's output goes to standard error."""
    command = [sys.executable, "-m", __name__, *([_TOLD] if told else []), *words]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return msgspec.json.decode(ran.stdout, type=Used)


def _alone(words: Sequence[str]) -> Used:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    output_flag = words[0] == _TOLD
    command = [sys.executable, "-m", *words[output_flag:]]
    out = sys.stderr if output_flag else subprocess.DEVNULL
    subprocess.run(command, check=True, stdout=out, stderr=out)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    usage = getrusage(RUSAGE_CHILDREN)
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(_alone(sys.argv[1:])).decode())
