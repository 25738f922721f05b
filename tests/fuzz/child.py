"""Read mutants in a child process and report every event to the parent as one line.

The child may hang, use too much memory or crash. The parent takes the mutant's number from the last
line.
"""

import os
import resource
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchloom.core.errors import BenchloomError
from tests.fuzz.corpus import mutant, seeds_of
from tests.fuzz.limits import Limits
from tests.fuzz.target import load_target

_HARD_MEMORY = 6 << 30
"""Limit of the address space; it is high because libraries reserve much that they never use."""


class Order(msgspec.Struct, frozen=True):
    """An order to read the mutants from `start` up to `stop`, for at most `seconds`."""

    module: str
    seed: int
    start: int
    stop: int
    seconds: float
    corpus: str | None
    limits: Limits = Limits()


class Line(msgspec.Struct, frozen=True):
    """A line to the parent: an event, the number of its mutant and a detail.

    `event` is `begin` before a mutant is read, `again` if a new child must continue, `end` after
    the last mutant, or else the kind of a finding.
    """

    event: str
    number: int
    detail: str = ""


def main() -> None:
    """Take the order from the command line and read its mutants."""
    order = msgspec.json.decode(sys.argv[2], type=Order)
    pipe = int(sys.argv[1])
    encoder = msgspec.json.Encoder()

    def report(event: str, number: int, detail: str = "") -> None:
        os.write(pipe, encoder.encode(Line(event, number, detail)) + b"\n")

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_HARD_MEMORY, _HARD_MEMORY))
    _run(order, report)


def _run(order: Order, report: Callable[..., None]) -> None:
    target = load_target(order.module)
    seeds = seeds_of(target, Path(order.corpus) if order.corpus else None)
    limits = order.limits
    deadline = time.monotonic() + order.seconds
    number = order.start
    while number < order.stop and time.monotonic() < deadline:
        data = mutant(target, seeds, order.seed, number)
        report("begin", number)
        start_time = time.process_time()
        # The system ends a reader that does not return, even inside a library.
        _limit_processor(start_time + limits.seconds)
        try:
            target.read(data)
        except BenchloomError:
            pass  # a refusal is a correct result
        except Exception:  # noqa: BLE001  fuzzing looks for any exception
            report("untyped", number, traceback.format_exc(limit=-8))
        used = time.process_time() - start_time
        if used > limits.seconds:
            report("slow", number, f"{used:.1f} s of processor time")
        number += 1
        peak = _peak_memory()
        if peak > limits.memory:
            report("memory", number - 1, f"{peak >> 20} MiB")
            report("again", number)
            return
    report("end", number)


def _peak_memory() -> int:
    """Return the largest resident memory so far in bytes.

    Unlike ru_maxrss, VmHWM does not include the memory of the parent process.
    """
    status = Path("/proc/self/status")
    for line in status.read_text().splitlines() if status.exists() else ():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def _limit_processor(seconds: float) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 2, hard))


if __name__ == "__main__":
    main()
