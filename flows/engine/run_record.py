"""This module records how the last rebuild of a workspace ended, for `benchloom status`.

The record is one small file, `last-run.json`. A rebuild writes the file when it has locked the
workspace, and again when it ends. If the rebuild is killed, the first version remains. `last_run`
then reports a killed run, because no process has locked the workspace any more.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from benchloom.core.errors import BenchloomError, BusyError, GateError, RunError
from benchloom.storage.workspace import workspace_lock, write_file
from flows.console.interrupts import stopping
from flows.errors import AfterReleaseError

RECORD = "last-run.json"
Result = Literal["running", "released", "failed", "interrupted", "killed"]
_TRACEBACK_CODE = 1
"""The exit code of Python when it prints a traceback."""


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of the last rebuild of a workspace.

    `process` is the process id. `release` is the folder of the release, or "" without one, and
    `message` is the error message, or "" without an error. `unchanged` means that the release
    already existed. `ended` and `exit_code` are None for a run that is running or was killed.
    """

    config: str
    process: int
    started: datetime
    ended: datetime | None = None
    result: Result = "running"
    exit_code: int | None = None
    message: str = ""
    release: str = ""
    unchanged: bool = False


class Recorder:
    """A writer for the record of one rebuild; the caller sets `release` and `unchanged`."""

    def __init__(self, workspace: Path, config: Path) -> None:
        self.release: Path | None = None
        self.unchanged = False
        self._workspace = workspace
        self._is_over = False
        self._record = RunRecord(
            config=str(config.absolute()), process=os.getpid(), started=datetime.now(UTC)
        )

    def begin(self) -> None:
        """Record that the run has started; the caller must have locked the workspace."""
        self._write(self._record)

    def end(self, result: Result, exit_code: int, message: str = "") -> None:
        """Record the end of the run and its result; later calls do nothing."""
        if self._is_over:
            return
        self._is_over = True
        record = msgspec.structs.replace(
            self._record,
            ended=datetime.now(UTC),
            result=result,
            exit_code=exit_code,
            message=message,
            release="" if self.release is None else str(self.release),
            unchanged=self.unchanged,
        )
        self._write(record)

    def interrupted(self) -> None:
        """Record that the user or a signal ended the run."""
        self.end("interrupted", stopping.code)

    def _write(self, record: RunRecord) -> None:
        # A full or read-only disk is reported by the run itself.
        with suppress(OSError):
            self._workspace.mkdir(parents=True, exist_ok=True)
            content = msgspec.json.format(msgspec.json.encode(record), indent=2)
            write_file(self._workspace / RECORD, content + b"\n")


_recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


@contextmanager
def recorded(workspace: Path, config: Path) -> Iterator[Recorder]:
    """Record how the rebuild inside the block ends, and run `on_failure` if it fails.

    If the rebuild cannot start because another run is active, the record is not changed.
    """
    recorder = Recorder(workspace, config)
    stopping.then(recorder.interrupted)
    token = _recorder.set(recorder)
    try:
        yield recorder
    except BusyError:
        raise
    except Exception as error:
        if isinstance(error, AfterReleaseError):
            recorder.release = error.release
        exit_code = _exit_code(error)
        recorder.end("failed", exit_code, message_of(error))
        from flows.engine.failure_notice import notify  # needed only after a failure

        notify(config, workspace, message_of(error), exit_code)
        raise
    except BaseException:
        recorder.interrupted()
        raise
    else:
        recorder.end("released", 0)
    finally:
        _recorder.reset(token)
        stopping.then(None)


def record_start() -> None:
    """Record that the rebuild is running, if this code runs inside a block of `recorded`.

    The workspace must be locked.
    """
    if (recorder := _recorder.get()) is not None:
        recorder.begin()


@contextmanager
def recorded_run(workspace: Path, config: Path) -> Iterator[Recorder]:
    """Record the start and the end of the rebuild inside the block; the workspace must be locked.

    Inside a block of `recorded` this does nothing, because that block records the rebuild.
    """
    recorder = _recorder.get()
    if recorder is not None:
        yield recorder
        return
    with recorded(workspace, config) as outer:
        outer.begin()
        yield outer


def last_run(workspace: Path) -> RunRecord | None:
    """Return the record of the last rebuild of a workspace, or None if there is no record.

    Raises:
        RunError: the record cannot be read.
    """
    path = workspace / RECORD
    try:
        record = msgspec.json.decode(path.read_bytes(), type=RunRecord)
    except FileNotFoundError:
        return None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        message = f"{path}: {error}. Delete this file; the next rebuild writes a new file."
        raise RunError(message) from error
    if record.result == "running" and not _is_running(workspace, record.process):
        return msgspec.structs.replace(record, result="killed")
    return record


def message_of(error: Exception) -> str:
    """Return an error as one line, which begins with the findings of a gate if there are any."""
    if isinstance(error, GateError):
        return "; ".join((*error.findings, str(error)))
    return str(error) if isinstance(error, BenchloomError) else f"{type(error).__name__}: {error}"


def _exit_code(error: Exception) -> int:
    if isinstance(error, BenchloomError):
        return error.exit_code
    return RunError.exit_code if isinstance(error, (OSError, MemoryError)) else _TRACEBACK_CODE


def _is_running(workspace: Path, process: int) -> bool:
    """Whether the process with this id exists and the workspace is locked."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # the process belongs to another user
        pass
    try:
        with workspace_lock(workspace):
            return False
    except BusyError:
        return True
