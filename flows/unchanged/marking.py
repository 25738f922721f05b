"""Taking notes while a rebuild runs, for the mark that it leaves."""

from contextvars import ContextVar
from pathlib import Path

import msgspec

from benchloom.errors import BenchloomError
from benchloom.release import read_manifest
from benchloom.release.manifest import MANIFEST, MANIFEST_DIGEST, SIGNATURE
from benchloom.sealing import SealedFile, seal_files
from benchloom.workspace import read_mark
from flows.unchanged.looking import (
    MarkedInput,
    digest_of_inputs,
    digest_of_names,
    digest_of_releases,
)
from flows.unchanged.mark import RELEASES, MarkedStage, RebuildMark, write_rebuild_mark

_used: ContextVar[list[Path] | None] = ContextVar("used", default=None)
"""The stages a rebuild uses, in order; the flows it starts share its context."""


def stage_used(folder: Path) -> None:
    """Note that the rebuild that is running, if one is, made or found a stage in a folder."""
    used = _used.get()
    if used is not None:
        used.append(folder)


class Notes(msgspec.Struct, frozen=True):
    """What is known of a rebuild before its first stage; nothing that changes later is believed."""

    asked: str
    inputs: tuple[MarkedInput, ...]
    read: str
    names: str
    looks_outside: bool
    urls: tuple[str, ...] = ()


def take_notes(
    asked: str,
    inputs: tuple[MarkedInput, ...],
    *,
    looks_outside: bool,
    urls: tuple[str, ...] = (),
) -> Notes | None:
    """Look at the inputs, and begin to note which stages are used.

    None where an input cannot be read, of which the stages have their own opinion.
    """
    _used.set([])
    try:
        read, names = digest_of_inputs(inputs), digest_of_names(inputs)
        return Notes(asked, inputs, read, names, looks_outside, urls)
    except OSError:
        return None


def leave_mark(workspace: Path, notes: Notes, release: Path) -> str | None:
    """Write the mark of a rebuild whose release was made and checked just now.

    What kept it from being written, in a line: the release is made all the same.
    """
    try:
        write_rebuild_mark(workspace, _mark(workspace, notes, release))
    except (OSError, BenchloomError) as error:
        return str(error)
    return None


def _mark(workspace: Path, notes: Notes, release: Path) -> RebuildMark:
    manifest = read_manifest(release)
    stages: list[MarkedStage] = []
    for folder in dict.fromkeys(_used.get() or ()):
        mark = read_mark(folder)
        if mark is not None:
            stages.append(MarkedStage(folder.relative_to(workspace).as_posix(), mark.seal))
    # As the manifest has them, which was compared with the files by the check.
    sealed = [SealedFile(file.path, file.bytes, file.sha256) for file in manifest.files]
    own = seal_files(release, [release / MANIFEST, release / MANIFEST_DIGEST])
    return RebuildMark(
        asked=notes.asked,
        inputs=notes.inputs,
        read=notes.read,
        names=notes.names,
        stages=tuple(stages),
        release=release.name,
        content_digest=manifest.content_digest,
        rows=manifest.tables(),
        files=(*sealed, *own),
        may_join=(SIGNATURE,),
        releases=digest_of_releases(workspace / RELEASES),
        looks_outside=notes.looks_outside,
        urls=notes.urls,
    )
