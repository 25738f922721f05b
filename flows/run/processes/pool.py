"""This module contains a pool of worker processes, each of which has its own pipe.

If a process is killed, only the call in this process fails, and the exit code is known. An executor
of the standard library would fail every waiting call and not report the exit code. A call whose
process dies is repeated once, in a new process.
"""

import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from errno import ENOMEM
from multiprocessing import active_children, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from benchloom.core.errors import BenchloomError, RunError
from flows.errors import Death, WorkerError, is_memory_fault
from flows.run.processes import forked_context
from flows.run.processes.lean import collect_rarely

_interrupted = threading.Event()
"""Set after an interruption, so that a call whose process dies is not repeated."""


class _DiedError(Exception):
    """Raised if a worker process ends or runs out of memory before it answers a call."""

    def __init__(self, death: Death) -> None:
        super().__init__(death)
        self.death = death


class _Worker:
    """One worker process, which first receives the pool's shared work and then answers calls."""

    def __init__(self, work: object) -> None:
        self._setup: tuple[object, ...] | None = (work,)
        context = forked_context()
        self._pipe, its_end = context.Pipe()
        self._process = context.Process(target=_answer_calls, args=(its_end,))
        try:
            self._process.start()
        except (OSError, EOFError) as error:  # the server that forks processes is gone
            self._pipe.close()
            raise _DiedError(Death(start=repr(error))) from error
        finally:
            its_end.close()

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call a function in the process and return its result.

        Raises:
            _DiedError: the process is gone or ran out of memory; it takes no further calls.
        """
        try:
            if self._setup is not None:
                self._pipe.send(self._setup)
                self._setup = None
            self._pipe.send((function, arguments))
            fault, result = self._answer()
        except (EOFError, OSError) as error:
            self.end()
            code = self._process.exitcode
            raise _DiedError(Death(code, memory=code == ENOMEM)) from error
        if fault is None:
            return result
        if is_memory_fault(fault):
            self.end()
            raise _DiedError(Death(memory=True)) from fault
        raise fault

    def _answer(self) -> tuple[Exception | None, Any]:
        wait([self._pipe, self._process.sentinel])
        if not self._pipe.poll():
            raise EOFError  # the process is gone
        answer: tuple[Exception | None, Any] = self._pipe.recv()
        return answer

    @property
    def is_over(self) -> bool:
        """Whether the process can take no further calls."""
        return self._pipe.closed

    def end(self) -> None:
        """Close the pipe, which ends an idle process, and wait until the process has ended."""
        self._pipe.close()
        self._process.join()


class WorkerPool:
    """A pool of at most `workers` processes.

    Each process receives the object `work` once; functions get it with `received_work`.
    """

    def __init__(self, workers: int, work: object = None) -> None:
        self._setup = work
        self._idle: list[_Worker] = []
        self._is_over = False
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")

    def ask(self, work_name: str, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Submit a call to a process, and return its future.

        Error messages call the work `work_name` if the process dies.
        """
        return self._threads.submit(self._call, work_name, function, *arguments)

    def map(self, function: Callable[..., Any], *iterables: Any) -> Iterator[Any]:
        """Call a function in the processes of the pool, as `map` would.

        All calls are submitted immediately. The results are in the order of the calls.
        """
        calls = list(zip(*iterables, strict=False))
        name = call_name(function)
        futures = [
            self.ask(f"{name}, part {number} of {len(calls)}", function, *arguments)
            for number, arguments in enumerate(calls, 1)
        ]
        return _results(futures)

    def end(self) -> None:
        """Finish running calls, cancel waiting ones, and end the processes."""
        self._is_over = True
        self._threads.shutdown(cancel_futures=True)
        while self._idle:
            self._idle.pop().end()

    def _call(self, work_name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in a process, and repeat the call once if the process dies.

        Raises:
            WorkerError: two processes died during the call.
        """
        # `pop` and `append` of a list are atomic, so the threads of the pool need no lock.
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = None
        try:
            return self._result(worker, function, arguments)
        except _DiedError as first:
            if self._is_over or _interrupted.is_set():
                raise WorkerError(work_name, str(first.death)) from first
        try:
            return self._result(None, function, arguments)
        except _DiedError as second:
            raise WorkerError(work_name, str(second.death)) from second

    def _result(
        self, worker: _Worker | None, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> Any:
        """Call `function` in `worker`, or in a new worker if it is None, and return the result."""
        worker = worker or _Worker(self._setup)
        try:
            return worker.ask(function, arguments)
        finally:
            if not worker.is_over:
                self._idle.append(worker)


def call_name(function: Callable[..., Any]) -> str:
    """Return the name of a function's calls in messages, such as "check part" for `_check_part`."""
    plain: object = function
    while hasattr(plain, "func"):  # a partial, or a function wrapped for the memory
        plain = plain.func
    name: str = getattr(plain, "__name__", type(plain).__name__)
    return name.strip("_").replace("_", " ")


def kill_workers() -> None:
    """Kill every worker now, so that an interrupted run does not wait for their calls."""
    _interrupted.set()
    for worker in active_children():
        worker.kill()


def _results(futures: "list[Future[Any]]") -> Iterator[Any]:
    """Yield results in the order of the calls; cancel waiting calls if the caller stops early."""
    # Each future is dropped before its result is used, so that used results leave the memory.
    futures.reverse()
    try:
        while futures:
            yield futures.pop().result()
    finally:
        for future in futures:
            future.cancel()


_received: list[Any] = []


def received_work() -> Any:
    """Return the object that the pool sent to this worker process when it started."""
    return _received[-1]


def _answer_calls(pipe: "Connection[Any, Any]") -> None:
    """Answer calls in the main loop of a worker, until the pipe closes."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles interrupts
        # Hide output of the C library when the process dies; faults are sent through the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        collect_rarely()
        with suppress(RuntimeError):  # without the thread, the worker ends after its current call
            _end_with_parent()
        fault = _take(pipe)
        while True:
            function, arguments = pipe.recv()
            pipe.send_bytes(_reply(function, arguments, fault))
    except (EOFError, OSError):
        return
    except BaseException as error:  # noqa: BLE001  the run reports every error in its own line
        os._exit(ENOMEM if is_memory_fault(error) else 1)


def _take(pipe: "Connection[Any, Any]") -> Exception | None:
    """Receive the pool's shared object; return the error if it cannot be unpickled here."""
    content = pipe.recv_bytes()
    try:
        _received.extend(pickle.loads(content))  # noqa: S301  from the process that started this one
    except Exception as error:  # noqa: BLE001  every call is answered with the error
        return error
    return None


def _reply(
    function: Callable[..., Any], arguments: tuple[Any, ...], fault: Exception | None
) -> bytes:
    """Call a function, and return the pickled pair of its error (or None) and its result.

    A `fault` of the worker is the error of every call.
    """
    try:
        if fault is None:
            return pickle.dumps((None, function(*arguments)))
    except Exception as error:  # noqa: BLE001  raised again where the call was made
        fault = error
    return pickle.dumps((_picklable_error(fault), None))


def _picklable_error(fault: Exception | None) -> Exception | None:
    """Return the error, or an error with the same message if it cannot be pickled.

    Errors that are neither ours nor of the operating system are bugs; they get a note with the
    traceback.
    """
    trace_text = "".join(traceback.format_exception(fault)) if fault is not None else ""
    try:
        copy = pickle.loads(pickle.dumps(fault))  # noqa: S301  pickled right here
    except Exception:  # noqa: BLE001  its class decides what unpickling calls
        return (
            RunError(str(fault)) if isinstance(fault, BenchloomError) else RuntimeError(trace_text)
        )
    if isinstance(copy, Exception) and not isinstance(copy, (BenchloomError, OSError)):
        copy.add_note(trace_text)
    return copy if isinstance(copy, Exception) else None


def _end_with_parent() -> None:
    """End this worker when the process that started the run is gone, however it ended."""
    parent = parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
