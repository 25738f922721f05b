"""The paths inside a folder of captures.

`<site>/` contains only archives, so that a site's folder can be passed to any command that
reads archives. Files that can be made again, or only record the progress of a crawl, are in
`state/`.
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
"""Suffixes of files that only record a crawl's progress or can be made again."""


def state_file(captures: Path, name: str) -> Path:
    """Return the path of a file in the state folder."""
    return captures / STATE_FOLDER / name


def index_path(archive: Path) -> Path:
    """Return the path of an archive's index file."""
    return state_file(archive.parent.parent, archive.name.removesuffix(".warc.gz") + INDEX_SUFFIX)


class FolderArchive(NamedTuple):
    """An archive's path relative to a captures folder, and why it must not be opened (or None)."""

    warc: str
    problem: str | None = None


def archives_in(captures: Path, sites: Collection[str] | None = None) -> list[FolderArchive]:
    """Return the archives of a captures folder, or only of the named sites, in order."""
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
    """Whether a path below a captures folder is benchloom's own file, not an archive."""
    name = path.rsplit("/", 1)[-1]
    return name == TOMBSTONES_FILE or name.endswith(STATE_ENDINGS)
