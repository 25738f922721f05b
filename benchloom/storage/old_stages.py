"""Find and remove folders of pipeline stages that newer folders replace. A run can rewrite them.

Captures, sources, the log of model replies and releases are never removed.
"""

import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.storage.workspace import MEMORY, STAGE_FILE, remove_leftovers

_REUSED = "reused"  # The folder that earlier versions wrote in place of the memory.
ROOTS = ("parsed", "normalised", "generated", "judged", "reviewed")
_KEYED = re.compile(r"(?P<subject>.+)-[0-9a-f]{16}")


class StaleStage(msgspec.Struct, frozen=True, kw_only=True):
    """A stage folder to remove: its path in the workspace, and its size on disk in bytes."""

    path: str
    bytes: int


def stale_stages(workspace: Path, keep: int) -> list[StaleStage]:
    """List the cache folder, and all folders of each stage except its `keep` newest.

    The age of a folder counts from the end of its stage, or from the last write if the stage is
    unfinished. The list is sorted by path.
    """
    stages: list[StaleStage] = []
    for root in ROOTS:
        subjects: defaultdict[str, list[Path]] = defaultdict(list)
        for path in _folders(workspace / root):
            match = _KEYED.fullmatch(path.name)
            if match is not None:
                subjects[match["subject"]].append(path)
        for paths in subjects.values():
            paths.sort(key=lambda path: (-_modified_at(path), path.name))
            stages += [
                StaleStage(path=path.relative_to(workspace).as_posix(), bytes=_size(path))
                for path in paths[keep:]
            ]
    stages += [
        StaleStage(path=name, bytes=_size(workspace / name))
        for name in (MEMORY, _REUSED)
        if (workspace / name).is_dir()
    ]
    return sorted(stages, key=lambda stage: stage.path)


def remove_stage(workspace: Path, stage: StaleStage) -> None:
    """Remove a stage folder. It is renamed first, so that a killed run leaves no damaged stage."""
    path = workspace / stage.path
    going = path.with_name(f".tmp-{os.getpid()}-{path.name}")
    path.rename(going)
    shutil.rmtree(going, ignore_errors=True)
    remove_leftovers(path.parent)


def _folders(root: Path) -> Iterator[Path]:
    if root.is_dir():
        yield from (path for path in root.iterdir() if path.is_dir())


def _modified_at(path: Path) -> float:
    mark = path / STAGE_FILE
    return (mark if mark.is_file() else path).stat().st_mtime


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
