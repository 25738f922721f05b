"""This module contains the code that the workers of a cluster run; it does not import Prefect.

The description of a shard's work is long, so it is in a file of the workspace; a call sends the
name and the digest of that file, and the number of the shard.
"""

import hashlib
import pickle
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from benchloom.storage.code import DISTRIBUTIONS, code_digest, installed_version
from benchloom.storage.seals import kind_of
from benchloom.storage.stages import ShardMark
from benchloom.storage.workspace import write_file
from flows.errors import EngineError
from flows.run.processes.workers import Work

PROBE = "probe"
SEEN = "seen-"


class Facts(msgspec.Struct, frozen=True):
    """The versions that decide which bytes a process writes: our code, Python, and packages."""

    code: str
    python: str
    packages: dict[str, str]

    def differences(self, other: "Facts") -> str:
        """Describe how the versions of another process differ from these, or return ""."""
        phrases = [] if self.code == other.code else ["another version of benchloom's code"]
        if self.python != other.python:
            phrases.append(f"Python {other.python} (here {self.python})")
        phrases += [
            f"{name} {other.packages[name]} (here {own_version})"
            for name, own_version in self.packages.items()
            if other.packages[name] != own_version
        ]
        return ", ".join(phrases)


class Probe(msgspec.Struct, frozen=True):
    """A test of whether a worker can read the inputs, and the token in the run's folder.

    `inputs` contains for each path its kind and, if it is a file, its number of bytes.
    """

    folder: Path
    token: str
    facts: Facts
    inputs: tuple[tuple[Path, str | None, int], ...]


class WorkFile(msgspec.Struct, frozen=True):
    """A file that contains the pickled function with which workers make the shards of a stage.

    `facts` are the versions of the process that wrote the file.
    """

    path: Path
    digest: str
    facts: Facts


@cache
def facts_here() -> Facts:
    """Return the versions that this process uses, as they were at the first call."""
    python = ".".join(map(str, sys.version_info[:2]))
    packages = {name: installed_version(name) for name in DISTRIBUTIONS}
    return Facts(code_digest(), python, packages)


def keep(work: Work, folder: Path, facts: Facts) -> WorkFile:
    """Pickle the function that makes a stage's shards, and write it to a file in `folder`."""
    content = pickle.dumps(work)
    digest = hashlib.sha256(content).hexdigest()
    path = folder / f"{digest}.work"
    write_file(path, content)
    return WorkFile(path, digest, facts)


def probe_for(folder: Path, inputs: Iterable[Path]) -> Probe:
    """Write a token file into `folder`, and return the test that every worker must pass."""
    token = uuid.uuid4().hex
    write_file(folder / PROBE, token.encode())
    return Probe(folder, token, facts_here(), tuple(_looks_of(path) for path in inputs))


def _looks_of(path: Path) -> tuple[Path, str | None, int]:
    kind = kind_of(path)
    return path, kind, path.stat().st_size if kind == "file" else 0


def look(probe: Probe) -> str | None:
    """Return why this worker cannot take part in the run, or None if it can.

    The worker copies the probe's token into an answer file. The file shows the run that both
    processes use the same folder.
    """
    if differs := probe.facts.differences(facts_here()):
        return f"has {differs}; install the same versions there"
    try:
        content = (probe.folder / PROBE).read_bytes()
        write_file(probe.folder / f"{SEEN}{uuid.uuid4().hex}", content)
    except OSError as error:
        content = str(error.strerror or error).encode()
    if content != probe.token.encode():
        why = "" if len(content) == len(probe.token) else f" ({content.decode(errors='replace')})"
        return f"cannot read the workspace {probe.folder.parent}{why}; share it with the worker"
    for path, kind, size in probe.inputs:
        if _looks_of(path) != (path, kind, size):
            return f"sees another file or no file at the input {path}; share the inputs with it"
    return None


def answers(folder: Path) -> Iterator[bytes]:
    """Yield the contents of the files that workers wrote as answers to the probe."""
    for path in folder.glob(f"{SEEN}*"):
        yield path.read_bytes()


def make(work_file: WorkFile, number: int) -> ShardMark:
    """Make the shard with a number in this worker, with the function in `work_file`."""
    _require(work_file.facts)
    return _work_in(work_file.path, work_file.digest)(number)


def call(facts: Facts, work: Callable[[], Any]) -> Any:
    """Call a function without arguments in this worker, and return its result."""
    _require(facts)
    return work()


def _require(facts: Facts) -> None:
    """Raise if the versions of this worker differ from those of the run.

    Workers that joined after the run began were not checked at its beginning.

    Raises:
        EngineError: this worker has other versions.
    """
    if differs := facts.differences(facts_here()):
        raise EngineError(f"a worker has {differs}; install the same versions there")


@lru_cache(maxsize=2)
def _work_in(path: Path, digest: str) -> Work:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EngineError(f"a worker lacks {path}; share the workspace with it") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise EngineError(f"{path}: changed since the run wrote it; run the same command again")
    # Written by the run itself: its digest came with the call.
    work: Work = pickle.loads(content)  # noqa: S301  from the process of the run
    return work
