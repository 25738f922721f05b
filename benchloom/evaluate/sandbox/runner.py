"""Run predicted calls in a sandboxed process, which is started again after it has ended."""

import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.values import Composed, Plain, Ref, Value, runtime_text
from benchloom.evaluate.sandbox.frames import read_frame, write_frame
from benchloom.evaluate.sandbox.functions import Functions

SECONDS = 2.0  # seconds of wall time for a prediction
MEMORY = 256 * 1024 * 1024
"""The bytes of address space that a prediction may use in addition to the loaded modules."""
ERRORS = frozenset({
    "unknown_function", "unreadable_function", "unloadable_function", "bad_arguments",
    "unresolved_reference", "raised", "exited", "process", "file_read", "file_written", "network",
    "signal", "thread", "recursion", "timeout", "memory", "too_large", "no_plain_value", "died",
})  # fmt: skip
"""The kinds of errors of a run; `docs/pages/evaluation.md` explains them."""
_MAX_REPLY = 2 * 1024 * 1024  # maximum bytes of a message; the process sends at most half of it
_START = 20.0
_GRACE = 3.0
_MAX_KEPT, _MAX_KEPT_BYTES = 20_000, 2_000
_ENCODER = msgspec.json.Encoder()
_PROGRAM = (
    "import sys; sys.path.insert(0, {!r}); from sandbox.worker import main; del sys.path[0]; main()"
)
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Run(msgspec.Struct, frozen=True):
    """A call to run in the sandboxed process."""

    name: str
    arguments: tuple[tuple[str, Value], ...]
    declared: tuple[str, ...] = ()  # parameters of the offered tool
    outputs: tuple[str, ...] = ()  # outputs of the offered tool


class Ran(msgspec.Struct, frozen=True):
    """The result of running calls: a value, or an error whose kind is in `ERRORS`.

    `ran` is the number of calls that returned.
    """

    ran: int = 0
    value: Plain = None
    error: str = ""
    message: str = ""


class _Reply(msgspec.Struct, frozen=True):
    ran: int = 0
    value: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""
    message: str = ""


_REPLY = msgspec.json.Decoder(_Reply)


class Runner:
    """Runs functions of a folder or zip file in sandboxed processes; use it in a `with` block.

    Each prediction runs in its own process, and its effects end with the process. Equal requests
    are run once.

    Raises RunError if there are no functions, or this machine cannot sandbox processes.
    """

    def __init__(self, path: Path, *, seconds: float = SECONDS) -> None:
        self._functions = Functions(path)
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: set[str] = set()
        self._results: OrderedDict[bytes, Ran] = OrderedDict()

    def __enter__(self) -> Self:
        self._functions.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()
        self._functions.__exit__(*raised)

    def knows(self, name: str) -> bool:
        """Whether the folder or zip contains a function of this name."""
        return name in self._functions.where

    def run(
        self,
        calls: Sequence[Run],
        answer: "Value | None" = None,
        bind: Literal["name", "place"] = "name",
    ) -> Ran:
        """Run the calls, and return the value of `answer`, or else the result of the last call.

        `answer` is a value that may contain references to results of the calls. `bind` states
        whether arguments are passed to parameters by name or in the order of the prediction.
        """
        where = {
            call.name: self._functions.where[call.name] for call in calls if self.knows(call.name)
        }
        request: dict[str, object] = {
            "calls": [
                {
                    "name": call.name,
                    "arguments": [(name, _node(value)) for name, value in call.arguments],
                    "declared": call.declared,
                    "outputs": call.outputs,
                }
                for call in calls
            ],
            "where": where,
            "answer": None if answer is None else _node(answer),
            "bind": bind,
            "seconds": self._seconds,
            "memory": MEMORY,
        }
        key = _ENCODER.encode(request)
        outcome = self._results.get(key)
        if outcome is None:
            outcome = self._request(
                request, sorted({key for keys in where.values() for key in keys})
            )
            if len(key) <= _MAX_KEPT_BYTES:
                self._results[key] = outcome
                if len(self._results) > _MAX_KEPT:
                    self._results.popitem(last=False)
        return outcome

    def _request(self, request: dict[str, object], files: Sequence[str]) -> Ran:
        process = self._start()
        new = [file for file in files if file not in self._sent]
        request["sources"] = {file: self._functions.source(file) for file in new}
        self._sent.update(new)
        wait = self._seconds + _GRACE + (_START if new else 0.0)
        try:
            reply = _exchange(process, _ENCODER.encode(request), wait)
        except (BrokenPipeError, TimeoutError) as error:
            self._end()
            return Ran(error="died", message=type(error).__name__)
        try:
            decoded_reply = _REPLY.decode(reply)
            value: Plain = msgspec.json.decode(decoded_reply.value)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Ran(error="died", message="the process sent an unreadable reply")
        why = decoded_reply.error
        if why and why not in ERRORS:
            why = "died"
        return Ran(decoded_reply.ran, None if why else value, why, decoded_reply.message)

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._sent.clear()
            program = _PROGRAM.format(str(Path(__file__).parent.parent))
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-I", "-B", "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_ENVIRONMENT,
                cwd="/",
                start_new_session=True,
            )
            # A request without calls shows whether this machine can sandbox the process at all.
            try:
                _exchange(self._process, b'{"sources":{},"calls":[]}', _START)
            except (BrokenPipeError, TimeoutError) as error:
                self._end()
                raise RunError(
                    "this machine cannot run functions in a sandbox; "
                    "use Linux with seccomp, or score without functions"
                ) from error
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _exchange(process: "subprocess.Popen[bytes]", request: bytes, wait: float) -> bytes:
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError
    write_frame(process.stdin.fileno(), request)
    reply = read_frame(process.stdout.fileno(), time.monotonic() + wait, _MAX_REPLY)
    if reply is None:
        raise BrokenPipeError
    return reply


def _node(value: Value) -> list[object]:
    if isinstance(value, Ref):
        return ["r", value.step, value.output, value.path]
    if isinstance(value, Composed):
        return ["t", [_node(part) for part in value.parts]]
    if isinstance(value, list):
        return ["l", [_node(element) for element in value]]
    if isinstance(value, dict):
        return ["d", [(name, _node(member)) for name, member in value.items()]]
    if isinstance(value, str | int | float | bool) or value is None:
        return ["v", value]
    return ["v", runtime_text(value)]
