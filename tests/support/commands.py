"""Run commands in forked processes that need not import everything again.

Importing Prefect, Arrow and our own modules takes a command three seconds of processor time, more
than most tests of commands need. Here a command is forked from multiprocessing's fork server, which
has imported them. The command has its own process id, folder, environment, outputs and exit code,
but the hash seed of the fork server. Tests that depend on the hash seed start interpreters instead,
as do the tests of kills, of interrupts and of the wheel.
"""

import atexit
import json
import os
import resource
import select
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver, get_context, resource_tracker
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingMixIn, UnixStreamServer
from subprocess import CompletedProcess, TimeoutExpired

import pytest

from flows.run.processes import PRELOADED

ROOT = Path(__file__).resolve().parents[2]
_CONTEXT = get_context("forkserver")
_CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    with connection.makefile("rw") as stream:
        print(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]), file=stream, flush=True)
        code, out, err = json.loads(stream.readline())
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(code)
"""
"""The program `benchloom` of `command_folder`."""
_PRELOADED_MODULES = ("__main__", "pytest", "tests.support.preload", "tests.support.llm.world")
"""Modules that the fork server imports for tests, commands and child processes."""


def configure_fork_server() -> None:
    """Tell the fork server, before it starts, to import what commands need."""
    skip_syncs()
    # Workers of shards use the same server and set its list of modules again.
    PRELOADED[:] = _PRELOADED_MODULES
    _CONTEXT.set_forkserver_preload(list(_PRELOADED_MODULES))


def server_address() -> str:
    """Start the fork server if none runs, and return its address for other processes."""
    forkserver.ensure_running()
    address: str = forkserver._forkserver._forkserver_address  # type: ignore[attr-defined]  # has no public name
    return address


def use_server(address: str) -> None:
    """Fork from the server of another process, which must outlive this process.

    By default multiprocessing starts a fork server in each process, which imports everything again.
    """
    patch, server = pytest.MonkeyPatch(), forkserver._forkserver
    patch.setattr(server, "_forkserver_address", address)
    # The server ends when all copies of this descriptor are closed; the other process keeps one.
    patch.setattr(server, "_forkserver_alive_fd", os.open(os.devnull, os.O_RDONLY))
    for owner in (server, forkserver):
        patch.setattr(owner, "ensure_running", resource_tracker.ensure_running)


def skip_syncs() -> None:
    """Disable fsync, because tests kill processes but never the machine.

    A release syncs two hundred files and folders and waits 4 ms for each, longer on a busy disk.
    """
    for name in ("fsync", "fdatasync"):
        pytest.MonkeyPatch().setattr(os, name, lambda _: None)


def benchloom(
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 600.0,
    most: int | None = None,
) -> CompletedProcess[str]:
    """Run `benchloom WORDS`; return its output and exit code.

    `most` limits the bytes in each file of the command and its children, as on a full disk.

    Raises:
        TimeoutExpired: the command took longer than `timeout` seconds and was killed.
    """
    arguments = list(map(str, words))
    environment = dict(os.environ if env is None else env)
    with tempfile.TemporaryDirectory() as folder:
        outputs = (str(Path(folder) / "out"), str(Path(folder) / "err"))
        # The limit also applies to output files, so the outputs are pipes then.
        readers = [_open_pipe(path) for path in outputs] if most is not None else []
        working_folder = str(cwd or Path.cwd())
        process = _CONTEXT.Process(
            target=_run, args=(arguments, working_folder, environment, outputs, most)
        )
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutExpired(arguments, timeout)
        stdout, stderr = (
            map(_read_pipe, readers)
            if readers
            else (Path(path).read_text(encoding="utf-8") for path in outputs)
        )
        code = process.exitcode
        process.close()
    return CompletedProcess(["benchloom", *arguments], code, stdout, stderr)


class _CommandServer(ThreadingMixIn, UnixStreamServer):
    daemon_threads = True


class _CommandRequest(StreamRequestHandler):
    """A request of a shell script to run a command and return its outputs."""

    def handle(self) -> None:
        words, folder, environment = json.loads(self.rfile.readline())
        completed = benchloom(*words, cwd=Path(folder), env=environment)
        answer = json.dumps([completed.returncode, completed.stdout, completed.stderr])
        self.wfile.write(f"{answer}\n".encode())


@contextmanager
def command_folder() -> Iterator[Path]:
    """Yield a folder for the PATH of a script, whose `benchloom` is run in forked processes."""
    with tempfile.TemporaryDirectory() as folder:
        address, program = f"{folder}/socket", Path(folder, "bin", "benchloom")
        program.parent.mkdir()
        program.write_text(_CLIENT.format(python=sys.executable, address=address))
        program.chmod(0o755)
        with _CommandServer(address, _CommandRequest) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield program.parent
            server.shutdown()


@dataclass
class Serving:
    """A command that runs until it is interrupted, with its first line and its final outputs."""

    first_line: str = ""
    stdout: str = ""
    stderr: str = ""
    returncode: int | None = None


@contextmanager
def serving(
    *words: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Serving]:
    """Run `benchloom WORDS` until the block ends, then interrupt the command as Ctrl-C does."""
    command = Serving()
    with tempfile.TemporaryDirectory() as folder:
        outputs = (str(Path(folder) / "out"), str(Path(folder) / "err"))
        reader = _open_pipe(outputs[0])
        environment = dict(os.environ if env is None else env)
        process = _CONTEXT.Process(
            target=_run,
            args=(list(map(str, words)), str(cwd or Path.cwd()), environment, outputs, None),
        )
        process.start()
        # Before the command has opened the pipe, a read would return the end of the file.
        select.select([reader], [], [], 120)
        os.set_blocking(reader, True)
        with os.fdopen(reader, encoding="utf-8") as printed:
            try:
                command.first_line = printed.readline()
                yield command
            finally:
                if process.is_alive() and process.pid is not None:
                    os.kill(process.pid, signal.SIGINT)
                process.join(60)
                if process.exitcode is None:
                    process.kill()
                    process.join()
                command.returncode = process.exitcode
                command.stdout = printed.read()
                command.stderr = Path(outputs[1]).read_text(encoding="utf-8")
                process.close()


def _open_pipe(path: str) -> int:
    """Make a named pipe and return a descriptor for reading it."""
    os.mkfifo(path)
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def _read_pipe(reader: int) -> str:
    """Return what is in a pipe, also if processes that outlive the command keep it open."""
    try:
        return os.read(reader, 1 << 16).decode()
    except BlockingIOError:
        return ""
    finally:
        os.close(reader)


def call_in_process(
    work: Callable[[], None], env: Mapping[str, str], timeout: float = 60.0
) -> int | None:
    """Call `work` in a new process with the Prefect settings of `env`; return its exit code."""
    process = _CONTEXT.Process(target=_call, args=(work, dict(env)))
    process.start()
    process.join(timeout)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode


def _call(work: Callable[[], None], environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    _defer_settings()
    _run_to_exit(work)


def _run(
    words: list[str],
    folder: str,
    environment: dict[str, str],
    outputs: tuple[str, str],
    most: int | None,
) -> None:
    """Run the command in the new process."""
    for number, path in zip((1, 2), outputs, strict=True):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
        os.dup2(descriptor, number)
        os.close(descriptor)
    if most is not None:
        # Python would accept truncated bytecode as complete, and the next import would fail.
        sys.dont_write_bytecode = True
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    # Shells make background processes ignore interrupts; the command must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["benchloom", *words]
    _defer_settings()
    from flows.cli import main

    _run_to_exit(main)


def _run_to_exit(work: Callable[[], None]) -> None:
    """Do the work of a forked process and run exit functions as an interpreter does."""
    try:
        work()
    finally:
        # Threads end before exit functions run, because a thread of Prefect sends its last lines to
        # the server that an exit function stops.
        threading._shutdown()  # type: ignore[attr-defined]  # only this runs the exit hooks of threads
        atexit._run_exitfuncs()


def _defer_settings() -> None:
    """Make Prefect, which is already imported, read its settings at their first use.

    Reading the settings takes four times as long as a small command, and most commands need none.
    Loggers are set up again only if their settings differ from those of the fork server.
    """
    from prefect.context import SettingsContext, refresh_global_settings_context
    from prefect.logging.configuration import setup_logging

    from flows.engine.prefect_settings import apply
    from tests.support.preload import LOGGING, logging_settings

    def read_first() -> SettingsContext | None:
        patch.undo()
        refresh_global_settings_context()
        if logging_settings() != LOGGING:
            setup_logging()
        return SettingsContext.get()

    apply()
    patch = pytest.MonkeyPatch()
    patch.setattr(SettingsContext, "get", read_first)
