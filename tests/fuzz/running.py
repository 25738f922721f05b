"""Run a target in child processes and collect its findings."""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from benchloom.core.errors import RunError
from tests.fuzz.child import Line, Order
from tests.fuzz.limits import Limits

STALL_SECONDS = 120.0
"""Seconds without a line from a child after which it is killed."""


_ENCODE = msgspec.json.Encoder().encode


class Finding(msgspec.Struct, frozen=True):
    """A mutant that was neither read nor refused; `count` mutants failed in the same way."""

    target: str
    seed: int
    number: int
    kind: str
    detail: str
    count: int = 1

    @property
    def cause(self) -> tuple[str, str]:
        """The key that findings of one cause share: their kind and the line of the error."""
        lines = [line.strip() for line in self.detail.splitlines()]
        code_lines = [line for line in lines if line.startswith("File ")]
        last = lines[-1].split(":")[0] if lines and self.kind == "untyped" else ""
        return self.kind, (code_lines[-1] if code_lines else "") + last


class Outcome(msgspec.Struct, frozen=True):
    """The number of mutants that were read, and the first finding of every cause."""

    target: str
    mutants: int
    findings: tuple[Finding, ...]


def run_target(
    name: str,
    module: str,
    *,
    seed: int = 0,
    start: int = 0,
    stop: int = 1 << 62,
    seconds: float = 60.0,
    corpus: Path | None = None,
    limits: Limits | None = None,
) -> Outcome:
    """Read the mutants from `start` up to `stop`, for at most `seconds`, in child processes."""
    deadline = time.monotonic() + seconds
    findings: dict[tuple[str, str], Finding] = {}
    number = start
    while number < stop and (remaining := deadline - time.monotonic()) > 0:
        order = Order(
            module,
            seed,
            number,
            stop,
            remaining,
            str(corpus) if corpus else None,
            limits or Limits(),
        )
        number, lines = _run_child(order)
        for line in lines:
            finding = Finding(name, seed, line.number, line.event, line.detail)
            previous_finding = findings.get(finding.cause)
            if previous_finding is not None:
                finding = msgspec.structs.replace(
                    previous_finding, count=previous_finding.count + 1
                )
            findings[finding.cause] = finding
    return Outcome(name, number - start, tuple(findings.values()))


def _run_child(order: Order) -> tuple[int, list[Line]]:
    """Run one child; return the number of the next mutant and the lines of the child's findings."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "tests.fuzz.child", str(writing), _ENCODE(order).decode()]
    finding_lines: list[Line] = []
    number = next_number = order.start
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, pass_fds=[writing], stderr=errors) as child,
        open(reading, "rb", buffering=0) as pipe,  # noqa: PTH123  a pipe has no path
    ):
        os.close(writing)
        started = ended = False
        for line in _lines(pipe):
            if line is None:
                child.kill()
                finding_lines.append(Line("hang", number, f"nothing for {STALL_SECONDS:.0f} s"))
                ended = True
            elif line.event == "begin":
                number, next_number, started = line.number, line.number + 1, True
            elif line.event in {"again", "end"}:
                next_number, ended = line.number, True
            else:
                finding_lines.append(line)
        code = child.wait()
        if not (started or ended):
            errors.seek(0)
            error_text = errors.read().decode(errors="replace")
            raise RunError(f"the fuzz target {order.module} does not start:\n{error_text}")
    if not ended:
        finding_lines.append(_death(code, number))
    return next_number, finding_lines


def _death(code: int, number: int) -> Line:
    if code == -signal.SIGXCPU:
        return Line("slow", number, "ended after its processor time")
    return Line("died", number, f"exit code {code}")


def _lines(pipe: IO[bytes]) -> Iterator[Line | None]:
    """Yield lines of a child until it closes its pipe, or None after STALL_SECONDS without one."""
    rest = b""
    while True:
        ready, _, _ = select.select([pipe], [], [], STALL_SECONDS)
        if not ready:
            yield None
            return
        data = pipe.read(1 << 16)
        if not data:
            return
        *complete_lines, rest = (rest + data).split(b"\n")
        for line in complete_lines:
            yield msgspec.json.decode(line, type=Line)
