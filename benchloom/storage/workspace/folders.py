"""Write folders that are either complete or absent, by renaming filled temporary folders."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchloom.core.errors import BusyError, RunError
from benchloom.storage.inputs.objects import TEMPORARY, exclude_folders
from benchloom.storage.workspace.files import (
    in_use,
    remove_leftovers,
    remove_path,
    sync_folder,
    this_machine,
)
from benchloom.storage.workspace.marks import STAGE_FILE, StageMark, read_mark, write_mark

RUN = "BENCHLOOM_RUN"
"""The environment variable that contains the id of the run to which a process belongs."""
_MANIFEST = "manifest.json"
_RELEASE = b'"format": "benchloom-release'  # Among the first bytes of a release's manifest.
_HEAD = 256


@contextmanager
def stage_folder(out: Path, stage: str) -> Iterator[Path]:
    """Yield a temporary folder to fill; its files appear in `out` only if the block succeeds.

    The caller must write `stage.json` (see `write_mark`) last. An earlier result of the same stage
    is replaced as a whole; other files in `out` are kept. Inside the block, lists of inputs omit
    `out`. Raises RunError if `out` is a file, a release, or the result of another stage.
    """
    refuse_output(out)
    earlier = read_mark(out)
    if earlier is not None and earlier.stage != stage:
        raise RunError(f"{out} contains the result of '{earlier.stage}'; choose another folder")
    own = set() if earlier is None else _own_names(earlier)
    with scratch_folder(out.parent, out.name) as temporary, exclude_folders(out):
        yield temporary
        beside = {path.name for path in out.iterdir()} if out.exists() else set()
        others = beside - own - {path.name for path in temporary.iterdir()} - {STAGE_FILE}
        mark = read_mark(temporary) if others else None
        if mark is not None:
            write_mark(temporary, msgspec.structs.replace(mark, others=tuple(sorted(others))))
        _replace_output(temporary, out, (beside & own) - {STAGE_FILE})


def refuse_output(out: Path) -> None:
    """Raise RunError if `out` is a file, or is in a release, which must not be changed."""
    if out.exists() and not out.is_dir():
        raise RunError(f"{out} is a file; pass a folder to --out")
    refuse_release(out)


def refuse_release(path: Path) -> None:
    """Raise RunError if a path is the folder of a release, or is inside one."""
    for folder in (path.absolute(), *path.absolute().parents):
        if _is_release(folder):
            where = "is" if folder == path.absolute() else "is in"
            raise RunError(
                f"{path} {where} a release, which is never changed; choose another folder"
            )


def _is_release(folder: Path) -> bool:
    try:
        with (folder / _MANIFEST).open("rb") as file:
            return _RELEASE in file.read(_HEAD)
    except OSError:
        return False


@contextmanager
def scratch_folder(parent: Path, name: str) -> Iterator[Path]:
    """Yield a new folder in `parent` for temporary files.

    It is removed when the `with` block ends.
    """
    parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(parent, f"-{name}")
    folder = parent / f"{TEMPORARY}{os.getpid()}@{this_machine()}-{name}"
    folder.mkdir()
    in_use.add(folder)
    try:
        yield folder
    finally:
        in_use.discard(folder)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def temporary_folder(out: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill. If the block succeeds, the folder is renamed to `out`.

    Before that, `out` must be absent or empty.
    """
    with scratch_folder(out.parent, out.name) as temporary:
        yield temporary
        _replace_output(temporary, out, ())


def _own_names(mark: StageMark) -> set[str]:
    return {file.path.partition("/")[0] for file in mark.files}


def _replace_output(temporary: Path, out: Path, earlier: Iterable[str]) -> None:
    sync_folder(temporary)
    if out.exists() and not any(out.iterdir()):
        out.rmdir()
    if not out.exists():
        temporary.replace(out)
    else:
        (out / STAGE_FILE).unlink(missing_ok=True)
        for name in earlier:
            remove_path(out / name)
        names = sorted(temporary.iterdir(), key=lambda path: path.name == STAGE_FILE)
        for path in names:
            target = out / path.name
            remove_path(target)
            path.replace(target)
    sync_folder(out.parent)


@contextmanager
def workspace_lock(workspace: Path) -> Iterator[None]:
    """Lock a workspace inside the `with` block, so that no other process writes to it.

    Raises BusyError if another run holds the lock, and RunError if the folder is a release.
    """
    import fcntl

    refuse_release(workspace)
    workspace.mkdir(parents=True, exist_ok=True)
    with (workspace / ".lock").open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{workspace}: another run is writing here; wait for it or choose another"
            raise BusyError(message) from error
        yield
