"""Where things lie in a captures folder.

`<site>/` holds archives and nothing else, so that a site's folder can be given to any command that
reads archives. What can be made again, or only says how far a crawl is, lies in `state/`.
"""

from pathlib import Path

STATE_FOLDER = "state"
INDEX_SUFFIX = ".index.parquet"
LOCK_SUFFIX = ".lock"
RUN_SUFFIX = ".run.json"
JOB_FILE = "crawl.json"
TOMBSTONES_FILE = "tombstones.jsonl"
STATE_ENDINGS = (INDEX_SUFFIX, LOCK_SUFFIX, RUN_SUFFIX, JOB_FILE)
"""How the names of files end that only say how far a crawl is, or can be made again."""


def state_file(captures: Path, name: str) -> Path:
    """A file of the state folder."""
    return captures / STATE_FOLDER / name


def index_path(archive: Path) -> Path:
    """Where the index of an archive file lies."""
    return state_file(archive.parent.parent, archive.name.removesuffix(".warc.gz") + INDEX_SUFFIX)


def is_own_file(path: str) -> bool:
    """Whether a path below a captures folder is no archive but benchloom's own."""
    name = path.rsplit("/", 1)[-1]
    return name == TOMBSTONES_FILE or name.endswith(STATE_ENDINGS)
