"""The mark of a rebuild: what it read, what it made, and the release that came of it.

It stands in the workspace as `rebuild.json` and is written when the release was made and checked.
A mark that is missing, damaged or of another shape only means that nothing is known: the rebuild
then looks at its stages one by one.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from benchloom.sealing import SealedFile, kind_of
from benchloom.workspace import write_file
from flows.unchanged.looking import MarkedInput

FILE_NAME = "rebuild.json"
RELEASES = "releases"
"""The folder of a workspace that holds them."""
MOST_BYTES = 64 * 1024 * 1024


class MarkedStage(msgspec.Struct, frozen=True):
    """A finished stage: its folder, as seen from the workspace, and the seal of its mark."""

    folder: str
    seal: str


class RebuildMark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to be as it was for a rebuild to have nothing to do.

    `asked` is as `asked_for` says. `inputs` are the files and folders that were read, `read` is the
    digest of what they held before the first stage began and `names` that of their names alone.
    `files` are all of the release, whose every gate held, and `may_join` names what may stand
    beside them later; `releases` is the digest of what stands beside the release. `looks_outside`
    says that a site is crawled or a target served, which only the outside can answer. `urls` are
    the inputs of other machines, whose copies are among `inputs`; one whose query might hold a
    secret is not written down, and then `looks_outside`.
    """

    asked: str
    inputs: tuple[MarkedInput, ...]
    read: str
    names: str
    stages: tuple[MarkedStage, ...]
    release: str
    content_digest: str
    rows: Mapping[str, int]
    files: tuple[SealedFile, ...]
    may_join: tuple[str, ...]
    releases: str
    looks_outside: bool
    urls: tuple[str, ...] = ()
    seal: str = ""

    def folder(self, workspace: Path) -> Path:
        """The folder of the release."""
        return workspace / RELEASES / self.release


def write_rebuild_mark(workspace: Path, mark: RebuildMark) -> None:
    """Put the mark of the newest rebuild in place of the one before."""
    write_file(workspace / FILE_NAME, _encoded(mark))


def read_rebuild_mark(workspace: Path) -> RebuildMark | None:
    """The mark of the last rebuild of a workspace; None where there is none to be relied on."""
    path = workspace / FILE_NAME
    if kind_of(path) != "file" or path.stat().st_size > MOST_BYTES:
        return None
    try:
        content = path.read_bytes()
        mark = msgspec.json.decode(content, type=RebuildMark)
    except (OSError, UnicodeDecodeError, RecursionError, msgspec.DecodeError):
        return None
    return mark if _encoded(mark) == content else None


def _encoded(mark: RebuildMark) -> bytes:
    content = msgspec.json.encode(msgspec.structs.replace(mark, seal=""))
    seal = hashlib.sha256(content).hexdigest()
    return msgspec.json.encode(msgspec.structs.replace(mark, seal=seal))
