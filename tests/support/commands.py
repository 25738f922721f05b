"""The command line in processes of its own, without each of them importing everything again.

To import Prefect, Arrow and our own modules takes a command three seconds of processor time, more
than most tests of commands need. Here a command is forked from multiprocessing's fork server, which
has imported them: it has its own number, folder, environment, outputs and exit code. Its hashes
have the seed of that server. So tests of what may depend on that start interpreters, as do those of
kills, of interrupts and of the wheel.
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
_NEEDED = ("__main__", "pytest", "tests.support.warm", "tests.support.llm.world")
"""Modules that the fork server imports for tests, commands and processes to be killed."""


def prepare() -> None:
    """Have the fork server, when something starts it, import what commands need."""
    skip_syncs()
    # Workers of shards are forked from the same server, and say anew what it imports.
    PRELOADED[:] = _NEEDED
    _CONTEXT.set_forkserver_preload(list(_NEEDED))


def server_address() -> str:
    """Start the fork server if none runs; other processes can fork from it at this address."""
    forkserver.ensure_running()
    address: str = forkserver._forkserver._forkserver_address  # type: ignore[attr-defined]  # has no public name
    return address


def use_server(address: str) -> None:
    """Fork from the server of another process, which outlives this one.

    multiprocessing would start one in each process, and each would import everything again.
    """
    patch, server = pytest.MonkeyPatch(), forkserver._forkserver
    patch.setattr(server, "_forkserver_address", address)
    # The server ends when nobody holds this any more; here the other process does.
    patch.setattr(server, "_forkserver_alive_fd", os.open(os.devnull, os.O_RDONLY))
    for owner in (server, forkserver):
        patch.setattr(owner, "ensure_running", resource_tracker.ensure_running)


def skip_syncs() -> None:
    """Leave written files to the kernel: tests kill processes, never the machine.

    A release syncs two hundred files and folders, and waits 4 ms for each, longer on a busy disk.
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

    With `most`, no file of the command and its children may hold more bytes, as on a full disk.

    Raises:
        TimeoutExpired: it took longer than `timeout` seconds, and was killed.
    """
    arguments = list(map(str, words))
    environment = dict(os.environ if env is None else env)
    with tempfile.TemporaryDirectory() as folder:
        outputs = (str(Path(folder) / "out"), str(Path(folder) / "err"))
        # The limit is for the outputs too, unless they are pipes, which hold what a fault prints.
        readers = [_pipe(path) for path in outputs] if most is not None else []
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
        said, complaints = (
            map(_read_pipe, readers)
            if readers
            else (Path(path).read_text(encoding="utf-8") for path in outputs)
        )
        code = process.exitcode
        process.close()
    return CompletedProcess(["benchloom", *arguments], code, said, complaints)


class _CommandServer(ThreadingMixIn, UnixStreamServer):
    daemon_threads = True


class _CommandRequest(StreamRequestHandler):
    """Run a command for a shell and return its outputs."""

    def handle(self) -> None:
        words, folder, environment = json.loads(self.rfile.readline())
        done = benchloom(*words, cwd=Path(folder), env=environment)
        answer = json.dumps([done.returncode, done.stdout, done.stderr])
        self.wfile.write(f"{answer}\n".encode())


@contextmanager
def command_folder() -> Iterator[Path]:
    """A folder for the PATH of a script; its `benchloom` runs commands in forked processes."""
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
    """A command that runs until it is interrupted: its first line, and its outputs in the end."""

    first_line: str = ""
    stdout: str = ""
    stderr: str = ""
    returncode: int | None = None


@contextmanager
def serving(
    *words: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Serving]:
    """Run `benchloom WORDS` until the block ends, then interrupt it as Ctrl-C does."""
    command = Serving()
    with tempfile.TemporaryDirectory() as folder:
        outputs = (str(Path(folder) / "out"), str(Path(folder) / "err"))
        reader = _pipe(outputs[0])
        environment = dict(os.environ if env is None else env)
        process = _CONTEXT.Process(
            target=_run,
            args=(list(map(str, words)), str(cwd or Path.cwd()), environment, outputs, None),
        )
        process.start()
        # Until the command has opened its end, a read would find the end of the file.
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


def _pipe(path: str) -> int:
    """Make a named pipe, and return its end for reading."""
    os.mkfifo(path)
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def _read_pipe(reader: int) -> str:
    """Read a pipe, which processes that outlive the command may keep open."""
    try:
        return os.read(reader, 1 << 16).decode()
    except BlockingIOError:
        return ""
    finally:
        os.close(reader)


def called(work: Callable[[], None], env: Mapping[str, str], timeout: float = 60.0) -> int | None:
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
    _take_settings()
    _whole(work)


def _run(
    words: list[str],
    folder: str,
    environment: dict[str, str],
    outputs: tuple[str, str],
    most: int | None,
) -> None:
    """Run the command in the new process."""
    for number, path in zip((1, 2), outputs, strict=True):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    if most is not None:
        # Python takes bytecode that was cut off for whole, and the next import would fail.
        sys.dont_write_bytecode = True
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    # A shell has what it starts behind ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["benchloom", *words]
    _take_settings()
    from flows.cli import main

    _whole(main)


def _whole(work: Callable[[], None]) -> None:
    """Do the work of a forked process, and end it as an interpreter ends."""
    try:
        work()
    finally:
        # Threads before exit functions: one of Prefect's sends its last lines to the server, which
        # an exit function ends.
        threading._shutdown()  # type: ignore[attr-defined]  # only this runs the exit hooks of threads
        atexit._run_exitfuncs()


def _take_settings() -> None:
    """Have Prefect, which is imported already, read its settings when something asks for them.

    Reading them takes four times as long as a small command, and most commands need none. Loggers
    are set up again only where their settings are not the fork server's.
    """
    from prefect.context import SettingsContext, refresh_global_settings_context
    from prefect.logging.configuration import setup_logging

    from flows.engine.prefect_settings import apply
    from tests.support.warm import LOGGING, logging_settings

    def read_first() -> SettingsContext | None:
        patch.undo()
        refresh_global_settings_context()
        if logging_settings() != LOGGING:
            setup_logging()
        return SettingsContext.get()

    apply()
    patch = pytest.MonkeyPatch()
    patch.setattr(SettingsContext, "get", read_first)
