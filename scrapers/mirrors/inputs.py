"""Inputs as a run reads them: paths as they are, URLs as copies in its workspace."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchloom.under_way import say
from benchloom.workspace import workspace_lock
from scrapers.mirrors.address import is_remote, is_url, local_path, read_address

Input = Path | str
"""A path, or the URL of files; both may be text."""


def place_of(given: Input, workspace: Path) -> Path:
    """Where an input lies, a URL when it has been fetched.

    Raises:
        MirrorError: a URL that cannot be one of files.
    """
    if isinstance(given, Path) or not is_url(given):
        return Path(given)
    return local_path(given) or read_address(given).place(workspace)


def fetched(inputs: Iterable[Input], workspace: Path) -> list[Path]:
    """The places of inputs, all that is behind URLs copied to the workspace.

    The caller is the one writer of the workspace.

    Raises:
        MirrorError: what is behind a URL cannot be copied.
    """
    given = list(inputs)
    places = [place_of(one, workspace) for one in given]  # faults before any request
    for one in dict.fromkeys(one for one in given if is_remote(one)):
        # Clients of stores are imported for those who name one.
        from scrapers.mirrors.mirroring import mirror

        say(mirror(read_address(str(one)), workspace).told)
    return places


@contextmanager
def read_here(inputs: Iterable[Input], workspace: Path) -> Iterator[list[Path]]:
    """The places of inputs, for the block; copies in the workspace stay as they are meanwhile.

    Raises:
        BusyError: there are URLs, and another run is writing in the workspace.
        MirrorError: what is behind a URL cannot be copied.
    """
    given = list(inputs)
    if not any(map(is_remote, given)):
        yield [place_of(one, workspace) for one in given]
        return
    with workspace_lock(workspace):
        yield fetched(given, workspace.resolve())
