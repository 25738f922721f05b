"""Inputs behind URLs, copied into the workspace file by file, so that stages read local files.

`address` says which URLs are allowed and where a copy goes, `store` queries the file system
behind a URL, `record` remembers the fetched files, and `mirroring` makes the copy equal to the
store.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchloom.core.progress import say
from benchloom.storage.workspace import workspace_lock
from scrapers.mirrors.address import is_remote, is_url, local_path, read_address

Input = Path | str
"""A path, or the URL of files; both may be text."""


def input_path(source: Input, workspace: Path) -> Path:
    """Return the path of an input; for a URL, the path of its copy once fetched."""
    if isinstance(source, Path) or not is_url(source):
        return Path(source)
    return local_path(source) or read_address(source).copy_path(workspace)


def fetched(inputs: Iterable[Input], workspace: Path) -> list[Path]:
    """Copy all inputs behind URLs and return all paths; the caller alone writes the workspace."""
    sources = list(inputs)
    places = [input_path(source, workspace) for source in sources]  # faults before any request
    for source in dict.fromkeys(source for source in sources if is_remote(source)):
        # Store clients are imported only for inputs behind URLs.
        from scrapers.mirrors.mirroring import mirror

        say(mirror(read_address(str(source)), workspace).summary_line)
    return places


@contextmanager
def read_here(inputs: Iterable[Input], workspace: Path) -> Iterator[list[Path]]:
    """Copy inputs behind URLs and yield all paths; no copy changes inside the `with` block."""
    sources = list(inputs)
    if not any(map(is_remote, sources)):
        yield [input_path(source, workspace) for source in sources]
        return
    with workspace_lock(workspace):
        yield fetched(sources, workspace.resolve())
