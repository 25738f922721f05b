"""The process that reads mutants, and tells its parent line by line what happened.

It may hang, eat memory or crash: its parent knows from the last line which mutant did it.
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
"""Address space at which the system refuses: libraries reserve much that they never touch."""


class Order(msgspec.Struct, frozen=True):
    """Work for a child process: mutants from `start` on, up to `stop` or for `seconds`."""

    module: str
    seed: int
    start: int
    stop: int
    seconds: float
    corpus: str | None
    limits: Limits = Limits()


class Line(msgspec.Struct, frozen=True):
    """One line to the parent: `begin` and a number, a finding of a kind, `again` or `end`."""

    event: str
    number: int
    detail: str = ""


def main() -> None:
    """Read an order from the command line and mutants until it is done."""
    order = msgspec.json.decode(sys.argv[2], type=Order)
    pipe = int(sys.argv[1])
    encoder = msgspec.json.Encoder()

    def tell(event: str, number: int, detail: str = "") -> None:
        os.write(pipe, encoder.encode(Line(event, number, detail)) + b"\n")

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_HARD_MEMORY, _HARD_MEMORY))
    _run(order, tell)


def _run(order: Order, tell: Callable[..., None]) -> None:
    target = load_target(order.module)
    seeds = seeds_of(target, Path(order.corpus) if order.corpus else None)
    limits = order.limits
    until = time.monotonic() + order.seconds
    number = order.start
    while number < order.stop and time.monotonic() < until:
        data = mutant(target, seeds, order.seed, number)
        tell("begin", number)
        before = time.process_time()
        # A reader that never returns is ended by the system, even inside a library.
        _limit_processor(before + limits.seconds)
        try:
            target.read(data)
        except BenchloomError:
            pass  # read or refused: both are right
        except Exception:  # noqa: BLE001  fuzzing looks for any exception
            tell("untyped", number, traceback.format_exc(limit=-8))
        used = time.process_time() - before
        if used > limits.seconds:
            tell("slow", number, f"{used:.1f} s of processor time")
        number += 1
        peak = _peak_memory()
        if peak > limits.memory:
            tell("memory", number - 1, f"{peak >> 20} MiB")
            tell("again", number)
            return
    tell("end", number)


def _peak_memory() -> int:
    """Most bytes resident so far; unlike ru_maxrss it forgets the process this one came from."""
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
