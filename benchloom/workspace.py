"""Files and stage folders that are complete or absent.

Everything is written under a temporary name in the same folder, flushed to disk and renamed, so a
killed run leaves either the old state, the new state, or a temporary that the next run removes.
"""

import hashlib
import os
import re
import shutil
import threading
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchloom.errors import BusyError, RunError
from benchloom.inputs.digest import SourceFile
from benchloom.sealing import (
    Decoded,
    SealedFile,
    changed_files,
    files_in,
    kind_of,
    seal_files,
    unknown_entries,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

STAGE_FILE = "stage.json"
KEY_DIGITS = 16
KEYED = re.compile(rf"-[0-9a-f]{{{KEY_DIGITS}}}$")
"""The end of the name of a stage folder in a workspace: the first digits of its key."""
CONVERSION = "convert-"
"""How the stages that convert dialogues begin; the name of their source follows."""
IMPORT = "import-"
"""How the stages that import foreign sets begin; the name of their format follows."""
WORLD = "world-load-"
"""How the stages that load starts of worlds begin; the name of their suite follows."""
_COMMANDS = {
    "generated": "gather",
    "judge": "run judge",
    "judge-given": "judge",
    "parse-definitions": "parse definitions",
    "parse-listings": "parse listings",
    "parse-shortcuts": "parse shortcuts",
}
STATISTICS_TABLE = "statistics.md"
"""Figures a stage writes about its table, as Markdown for artifacts and the release card."""
_TEMPORARY = ".tmp-"
_MARKS_BYTES = 64 * 1024 * 1024
"""Marks that a process knows, as long as they are together: with many sources they are long."""


class FunnelStep(msgspec.Struct, frozen=True, kw_only=True):
    """How many objects a stage received, how many it left out and why, and what it wrote."""

    stage: str
    received: int
    reasons: dict[str, int]
    rows: dict[str, int]

    @property
    def kept(self) -> int:
        """Objects that were not left out."""
        return self.received - sum(self.reasons.values())


class StageMark(msgspec.Struct, frozen=True, kw_only=True):
    """`stage.json`: what a complete stage folder holds and what it was made from.

    `stage` names the stage, `key` the digest of its inputs and configuration, `objects` the input
    objects, `rows` the rows per table, `reasons` the rejected rows per reason. `sources` are the
    files it all came from; `earlier` is the funnel of the stages before this one. `files` are the
    seals of everything the stage wrote, `others` the names beside it that are not its own, and
    `seal` the digest of the mark itself.
    """

    stage: str
    key: str
    objects: int
    rows: dict[str, int]
    reasons: dict[str, int] = {}
    sources: tuple[SourceFile, ...] = ()
    earlier: tuple[FunnelStep, ...] = ()
    files: tuple[SealedFile, ...] = ()
    others: tuple[str, ...] = ()
    seal: str = ""

    def funnel(self) -> tuple[FunnelStep, ...]:
        """The funnel up to and including this stage."""
        step = FunnelStep(
            stage=self.stage, received=self.objects, reasons=self.reasons, rows=self.rows
        )
        return (*self.earlier, step)


_marks: Decoded[StageMark] = Decoded(_MARKS_BYTES)


class TemporaryFile:
    """A file being written beside its final place."""

    def __init__(self, final: Path) -> None:
        self.final = final
        final.parent.mkdir(parents=True, exist_ok=True)
        writer = f"{os.getpid()}@{_machine()}-{threading.get_native_id()}"
        self.path = final.parent / f"{_TEMPORARY}{writer}-{final.name}"

    def commit(self) -> None:
        """Flush to disk and put the file in its place in one step."""
        with self.path.open("rb") as written:
            os.fsync(written.fileno())
        self.path.replace(self.final)
        _sync_folder(self.final.parent)

    def discard(self) -> None:
        """Remove the unfinished file."""
        self.path.unlink(missing_ok=True)


def read_again(path: Path, digest: str) -> bytes:
    """What a file holds that a run wrote for other processes.

    Raises:
        RunError: its SHA-256 is another one, or it cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; run again") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise RunError(f"{path}: changed since the run wrote it; run again")
    return content


def write_file(path: Path, content: bytes) -> None:
    """Write `content` to `path` atomically; a full disk leaves what was there."""
    temporary = TemporaryFile(path)
    try:
        temporary.path.write_bytes(content)
        temporary.commit()
    except OSError:
        temporary.discard()
        raise


def write_unseen(path: Path, content: bytes) -> None:
    """Write a file of a folder that nobody looks into before it gets its name.

    Whoever has written some calls `sync_folders` before that.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folders(written: Iterable[Path]) -> None:
    """Flush to disk the entries of the folders that these files are in."""
    for folder in sorted({path.parent for path in written}):
        _sync_folder(folder)


@contextmanager
def stage_folder(out: Path, stage: str) -> "Iterator[Path]":
    """A folder to fill; its files appear in `out` only when the block ends without a fault.

    The caller writes `stage.json` (see `write_mark`) last. An `out` that does not exist, is empty,
    or holds an earlier result of the same stage is replaced whole; files of others are kept.

    Raises:
        RunError: `out` is a file, or holds the result of another stage.
    """
    if out.exists() and not out.is_dir():
        raise RunError(f"{out} is a file; --out takes a folder")
    earlier = read_mark(out)
    if earlier is not None and earlier.stage != stage:
        raise RunError(f"{out} holds the result of '{earlier.stage}'; choose another folder")
    own = set() if earlier is None else _own_names(earlier)
    with scratch_folder(out.parent, out.name) as temporary:
        yield temporary
        beside = {path.name for path in out.iterdir()} if out.exists() else set()
        others = beside - own - {path.name for path in temporary.iterdir()} - {STAGE_FILE}
        mark = read_mark(temporary) if others else None
        if mark is not None:
            write_mark(temporary, msgspec.structs.replace(mark, others=tuple(sorted(others))))
        _put_in_place(temporary, out, (beside & own) - {STAGE_FILE})


@contextmanager
def scratch_folder(parent: Path, name: str) -> "Iterator[Path]":
    """A folder in another that goes with the block, or when one of this name is made again."""
    parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(parent, f"-{name}")
    folder = parent / f"{_TEMPORARY}{os.getpid()}@{_machine()}-{name}"
    folder.mkdir()
    _in_use.add(folder)
    try:
        yield folder
    finally:
        _in_use.discard(folder)
        shutil.rmtree(folder, ignore_errors=True)


_in_use: set[Path] = set()
"""Scratch folders of this process that are no leftovers."""


@contextmanager
def temporary_folder(out: Path) -> "Iterator[Path]":
    """A folder to fill, which gets the name `out` when the block ends without a fault.

    `out` must not be there, or be an empty folder.
    """
    with scratch_folder(out.parent, out.name) as temporary:
        yield temporary
        _put_in_place(temporary, out, ())


def _own_names(mark: StageMark) -> set[str]:
    """The names on a stage folder's own level that the stage wrote."""
    return {file.path.partition("/")[0] for file in mark.files}


def _put_in_place(temporary: Path, out: Path, earlier: Iterable[str]) -> None:
    """Rename a finished folder, or its files one by one where `out` holds other files too.

    `earlier` are the names of the result before, which go.
    """
    _sync_folder(temporary)
    if out.exists() and not any(out.iterdir()):
        out.rmdir()
    if not out.exists():
        temporary.replace(out)
    else:
        (out / STAGE_FILE).unlink(missing_ok=True)
        for name in earlier:
            _remove(out / name)
        names = sorted(temporary.iterdir(), key=lambda path: path.name == STAGE_FILE)
        for path in names:
            target = out / path.name
            _remove(target)
            path.replace(target)
    _sync_folder(out.parent)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_mark(folder: Path, mark: StageMark) -> StageMark:
    """Seal what the stage wrote and write `stage.json`, the sign that it is complete.

    Everything in the folder but `mark.others` is the stage's own, and what is on its way there: a
    writer that was killed may have left it. The mark as it was written.
    """
    there = files_in(folder, apart=(STAGE_FILE, *mark.others))
    own = [path for path in there if not _is_temporary(path.relative_to(folder))]
    files = seal_files(folder, own)
    mark = msgspec.structs.replace(mark, files=files, seal="")
    mark = msgspec.structs.replace(mark, seal=hashlib.sha256(_encoded(mark)).hexdigest())
    content = _encoded(mark)
    write_file(folder / STAGE_FILE, content)
    return _known(content, mark)


def _is_temporary(place: Path) -> bool:
    """Whether something is on its way to its place, or was when its writer was killed."""
    return any(name.startswith(_TEMPORARY) for name in place.parts)


def _encoded(mark: StageMark) -> bytes:
    return msgspec.json.format(msgspec.json.encode(mark), indent=1)


def read_mark(folder: Path) -> StageMark | None:
    """The mark of a complete stage, None where there is none; its files are not looked at.

    Raises:
        RunError: the mark exists and is not what was written.
    """
    path = folder / STAGE_FILE
    kind = kind_of(path)
    if kind is None:
        return None
    if kind != "file":  # a pipe would never end
        raise RunError(f"{path}: a {kind}, not a file; remove it and run the stage again")
    try:
        content = path.read_bytes()
        if (known := _marks.find(content)) is not None:
            return known
        mark = msgspec.json.decode(content, type=StageMark)
    except (OSError, UnicodeDecodeError, RecursionError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}; remove the folder and run the stage again") from error
    unsealed = _encoded(msgspec.structs.replace(mark, seal=""))
    if _encoded(mark) != content or hashlib.sha256(unsealed).hexdigest() != mark.seal:
        raise RunError(f"{path}: changed since it was written; {command_again(folder, mark.stage)}")
    return _known(content, mark)


def _known(content: bytes, mark: StageMark) -> StageMark:
    """A mark, known by its bytes from now on; stages hand on their sources, which are held once."""
    equal = (one.sources for one in _marks.values() if one.sources == mark.sources)
    mark = msgspec.structs.replace(mark, sources=next(equal, mark.sources))
    _marks.add(content, mark)
    return mark


def sound_mark(folder: Path) -> StageMark | None:
    """The mark of a complete stage whose files are what was written, None where there is none.

    Every reader of a stage starts here.

    Raises:
        RunError: a file is missing, changed or not of the stage; it is named, with what to do.
    """
    mark = read_mark(folder)
    if mark is None:
        return None
    for name, fault in changed_files(folder, mark.files):
        raise RunError(f"{folder / name}: {fault}; {command_again(folder, mark.stage)}")
    known = [file.path for file in mark.files]
    for name, kind in unknown_entries(folder, known, apart=(STAGE_FILE, *mark.others)):
        if _is_temporary(Path(name)):
            continue
        do = f"move it away, or {command_again(folder, mark.stage)}"
        raise RunError(f"{folder / name}: a {kind} that '{mark.stage}' did not write; {do}")
    return mark


def command_of(stage: str) -> str:
    """The command that makes a stage; one that has no command of its own is part of a rebuild."""
    step = stage.removeprefix("generate-")
    if step != stage:
        return f"benchloom generate {step}"
    imported = stage.removeprefix(IMPORT)
    if imported != stage:
        return f"benchloom import {imported}"
    loaded = stage.removeprefix(WORLD)
    if loaded != stage:
        return f"benchloom world load {loaded}"
    source = stage.removeprefix(CONVERSION)
    if source != stage:
        return f"benchloom convert {source}"
    return f"benchloom {_COMMANDS.get(stage, 'rebuild')}"


def command_again(folder: Path, stage: str = "") -> str:
    """What makes a stage again. Nothing in its folder is lost that cannot be made from inputs."""
    command = command_of(stage)
    if KEYED.search(folder.name):
        command = "benchloom rebuild"
    return f"remove {folder} and run '{command}' again"


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove temporaries of runs that are gone; those of living processes stay.

    What a process of another machine was writing it writes again: only the one writer of a
    workspace removes anything, before it has others write.
    """
    for path in folder.glob(f"{_TEMPORARY}*{name}"):
        owner, _, machine = path.name[len(_TEMPORARY) :].split("-", 1)[0].partition("@")
        if machine not in {"", _machine()}:
            owner = ""
        if owner.isdigit() and int(owner) != os.getpid() and _is_alive(int(owner)):
            continue
        if path in _in_use:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@cache
def _machine() -> str:
    """What the numbers of processes belong to: a machine since it was started, or a container."""
    told = [os.uname().nodename]
    for path in (Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")):
        with suppress(OSError):
            told.append(str(path.readlink()) if path.is_symlink() else path.read_text())
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:8]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so a rename survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def workspace_lock(workspace: Path) -> "Iterator[None]":
    """Be the one writer of a workspace.

    The lock is the kernel's: it ends with the process that holds it, however that ends.

    Raises:
        BusyError: another process holds it.
    """
    import fcntl

    workspace.mkdir(parents=True, exist_ok=True)
    with (workspace / ".lock").open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{workspace}: another run is writing here; wait for it or choose another"
            raise BusyError(message) from error
        yield
