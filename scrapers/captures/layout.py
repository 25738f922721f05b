"""This module knows the paths inside a folder of captures.

The folder `<site>/` contains only archives, so it can be passed to any command that reads archives.
The folder `state/` contains files that can be made again, and records of the progress of crawls.
"""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from benchloom.storage.inputs.objects import readable_name
from benchloom.storage.seals import kind_of

STATE_FOLDER = "state"
INDEX_SUFFIX = ".index.parquet"
LOCK_SUFFIX = ".lock"
RUN_SUFFIX = ".run.json"
JOB_FILE = "crawl.json"
TOMBSTONES_FILE = "tombstones.jsonl"
STATE_ENDINGS = (INDEX_SUFFIX, LOCK_SUFFIX, RUN_SUFFIX, JOB_FILE)
"""The endings of the names of files in `state/`, which a release does not depend on."""


def state_file(captures: Path, name: str) -> Path:
    """Return the path of a file in the folder `state/` of a captures folder."""
    return captures / STATE_FOLDER / name


def index_path(archive: Path) -> Path:
    """Return the path of the index file for the archive at this path."""
    return state_file(archive.parent.parent, archive.name.removesuffix(".warc.gz") + INDEX_SUFFIX)


class FolderArchive(NamedTuple):
    """An archive in a captures folder.

    `warc` is the path relative to the captures folder. `problem` says why the archive must not be
    opened, or is None.
    """

    warc: str
    problem: str | None = None


def archives_in(captures: Path, sites: Collection[str] | None = None) -> list[FolderArchive]:
    """Return the archives in a captures folder, sorted by path; `sites` limits them to sites."""
    archives = []
    for path in captures.glob("*/*.warc.gz"):
        if sites is None or path.parent.name in sites:
            relative_path = path.relative_to(captures).as_posix()
            warc = readable_name(relative_path)
            problem = None if path.is_file() else f"a {kind_of(path) or 'name'}, not a file"
            if warc != relative_path:
                problem = "a name that is not text"
            archives.append(FolderArchive(warc, problem))
    return sorted(archives)


def is_own_file(path: str) -> bool:
    """Whether a file in a captures folder is written by benchloom and is not an archive."""
    name = path.rsplit("/", 1)[-1]
    return name == TOMBSTONES_FILE or name.endswith(STATE_ENDINGS)
