"""Record the inputs and outputs of the last rebuild, so that an unchanged rebuild is skipped.

The record is in the workspace's cache, under a digest of the configuration and the environment. All
files are digested again, since size and times of a file do not prove its content. This module must
not import Arrow, because the import takes longer than all other work here. See docs/decisions/0235.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.core.errors import BenchloomError
from benchloom.core.identity import digest_of_parts
from benchloom.storage.inputs.objects import exclude_folders, iter_files
from benchloom.storage.memory import digest, remembering
from benchloom.storage.seals import file_digest, kind_of
from benchloom.storage.workspace import MEMORY, RUN

_DECIDING = ("BENCHLOOM_", "OPENAI_", "REDDIT_")
"""Environment variables with these prefixes may change the output of a rebuild."""
_SECRET = ("_KEY", "_PASSWORD", "_SECRET", "_TOKEN")
"""Values of variables whose names end so are not stored, not even as a digest."""
_SIGNATURE = ".minisig"
"""Ending of the name of a signature, which may be added to a finished release."""
InputPath = tuple[str, tuple[str, ...]]
"""A file or folder that a rebuild reads, and the endings of names that are not read below it."""
Entry = tuple[str, str | None]
"""A path with its kind ("file", "folder", ...), or with the reason why it cannot be read."""


class Inputs(msgspec.Struct, frozen=True):
    """All inputs of a rebuild. The local copies of `urls` are in `paths`.

    `looks_outside` is true if the rebuild crawls a site, publishes a release, or reads a URL that
    is not stored because it may contain a secret. Then only a new run can find out whether anything
    changed.
    """

    paths: tuple[InputPath, ...]
    urls: tuple[str, ...] = ()
    looks_outside: bool = False

    def digest(self, workspace: Path) -> str | None:
        """Return a digest of the names and bytes of all inputs, or None if a file is unreadable.

        Missing files are part of the digest.
        """
        with suppress(OSError), exclude_folders(workspace):
            return _digest(entry for path in self.paths for entry in _inputs_at(*path))
        return None


_running: ContextVar[tuple[Inputs, str, list[Path]] | None] = ContextVar("running", default=None)
"""The rebuild in progress, which all its flows share: inputs, their digest, and stage folders."""


class LastRebuild(msgspec.Struct, frozen=True, kw_only=True):
    """A rebuild that built and checked a release.

    `inputs_digest` was computed before the first stage. `results_digest` was computed after the
    check, from the folders `stages`, the release, and the manifests of the other releases.
    """

    inputs: Inputs
    inputs_digest: str
    stages: Sequence[str]
    results_digest: str
    release: str
    content_digest: str
    rows: Mapping[str, int]

    def folder(self, workspace: Path) -> Path:
        """Return the folder of the release that this rebuild built."""
        return workspace / "releases" / self.release

    def is_unchanged(self, workspace: Path) -> bool:
        """Return whether all inputs, stages and releases are still as this rebuild left them."""
        with suppress(OSError, BenchloomError):  # the stages report unreadable or damaged files
            return (
                self.inputs.digest(workspace) == self.inputs_digest
                and _results_digest(self.stages, self.folder(workspace)) == self.results_digest
            )
        return False


def request_digest(config: Path, workspace: Path) -> bytes:
    """Return a digest of everything that decides a release, except our code and the inputs' bytes.

    Raises OSError if the configuration cannot be read.
    """
    folders = (str(config.resolve().parent), str(workspace.resolve()))
    machine = (sys.version, sys.platform, *_variables(), *_distributions())
    return digest("rebuild", file_digest(config), *folders, *machine)


def find_rebuild(workspace: Path, request: bytes) -> LastRebuild | None:
    """Return the last rebuild with the same configuration and environment, or None.

    `request` is the result of `request_digest`. The caller must be the only writer of the
    workspace.
    """
    with remembering(workspace / MEMORY, owner=False) as memory:
        content = memory.get(request) if memory is not None else None
    with suppress(msgspec.MsgspecError):
        return msgspec.msgpack.decode(content, type=LastRebuild) if content is not None else None
    return None


def begin_rebuild(workspace: Path, inputs: Inputs | None) -> None:
    """Digest the inputs and begin to record stages. If an input is unreadable, record nothing."""
    before = inputs and inputs.digest(workspace)
    _running.set((inputs, before, []) if inputs and before else None)


def stage_used(folder: Path) -> None:
    """Record the folder of a stage that the current rebuild wrote or reused.

    Nothing happens if no rebuild is in progress.
    """
    if (running := _running.get()) is not None:
        running[2].append(folder)


def remember_rebuild(
    workspace: Path, request: bytes, release: Path, content_digest: str, rows: Mapping[str, int]
) -> None:
    """Store the current rebuild in the cache, after its release was built and checked."""
    if (running := _running.get()) is None:
        return
    inputs, before, folders = running
    stages = sorted({str(folder) for folder in folders})
    faults = (OSError, BenchloomError, UnicodeEncodeError)  # a path may not be UTF-8
    with suppress(*faults), remembering(workspace / MEMORY) as memory:
        last = LastRebuild(
            inputs=inputs,
            inputs_digest=before,
            stages=stages,
            results_digest=_results_digest(stages, release),
            release=release.name,
            content_digest=content_digest,
            rows=rows,
        )
        if memory is not None:
            memory.put(request, msgspec.msgpack.encode(last))


def _variables() -> Iterator[str]:
    # The address of a server that the user configured may contain secrets.
    yield f"server={RUN not in os.environ and bool(os.environ.get('PREFECT_API_URL'))}"
    for name, value in sorted(os.environ.items()):
        if name == "HOME" or (name != RUN and name.startswith(_DECIDING)):
            yield f"{name}={bool(value) if name.endswith(_SECRET) else value}"


def _distributions() -> Iterator[str]:
    for folder in sys.path:
        with suppress(OSError):
            names = os.listdir(folder)  # noqa: PTH208  only names are needed, and there are many
            yield from sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))


def _results_digest(stages: Sequence[str], release: Path) -> str:
    releases = release.parent
    files = (path for folder in (*map(Path, stages), release) for path in folder.rglob("*"))
    paths = (*stages, *files, *releases.iterdir(), *releases.glob("*/*.json"))
    return _digest(
        (str(path), kind_of(Path(path)))
        for path in sorted(map(str, paths))
        if "/." not in path.removeprefix(str(releases.parent)) and not path.endswith(_SIGNATURE)
    )


def _inputs_at(path: str, ignored: tuple[str, ...]) -> Iterator[Entry]:
    """Yield every file below a folder, with its kind or the reason why it cannot be read.

    If the path is not a folder, yield the path itself and the path of the write-ahead log that it
    has if it is an SQLite database.
    """
    if Path(path).is_dir():
        for file in iter_files(Path(path)):
            if not file.path.endswith(ignored):
                yield file.path, file.problem.reason if file.problem else "file"
    else:
        yield from ((file_path, kind_of(Path(file_path))) for file_path in (path, f"{path}-wal"))


def _digest(entries: Iterable[Entry]) -> str:
    """Digest paths, kinds and bytes.

    Only regular files are read, because a pipe may have no end.
    """
    isfile = os.path.isfile  # for many files, making a Path takes as long as the digest
    facts = (
        (ascii(path), kind or "missing", file_digest(path) if isfile(path) else "")
        for path, kind in entries
    )
    return digest_of_parts("entries", chain.from_iterable(facts))
