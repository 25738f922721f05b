"""The parts of a publication, and the interface of every kind of target."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from benchloom.release.checking import check_release
from benchloom.release.gates import FurtherGate
from benchloom.release.manifest import (
    MANIFEST,
    MANIFEST_DIGEST,
    SIGNATURE,
    Manifest,
    ReleaseFile,
    file_digest,
)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a publication, and the action taken on it.

    `action` is send, keep (the target has an equal file), or remove (only the previous release
    had the file, on a target that shows one release at a time).
    """

    path: str
    action: str
    bytes: int


@dataclass(frozen=True)
class Publication:
    """A verified release on this machine: its folder, its manifest and all its files.

    The last of `files` are the signature, if any, and the two files of the manifest;
    `manifest.json` is the very last.
    """

    folder: Path
    manifest: Manifest
    files: tuple[ReleaseFile, ...]

    @property
    def version(self) -> str:
        """The version to publish."""
        return self.manifest.version

    def digest(self, path: str) -> str:
        """Return the SHA-256 of one file of the release."""
        return next(file.sha256 for file in self.files if file.path == path)


class Target(Protocol):
    """A place where releases are published.

    All paths are relative to the release, with forward slashes.
    """

    name: str

    def ask_who(self) -> None:
        """Check that the target recognises our credentials, before any long work starts.

        Only a quick question is asked; if the target does not answer, no error is raised.

        Raises:
            RunError: the target does not recognise our credentials.
        """

    def try_out(self) -> None:
        """Prove that a release could be written here, leaving no trace.

        Raises:
            RunError: writing is not possible; the message says why.
            StoppedError: the target does not answer now.
        """

    def plan(self, publication: Publication) -> list[Step]:
        """List the steps to take, in order, the manifest last; write nothing.

        Raises:
            GateError: another release of this version is published here.
        """

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Carry out the steps of `plan`, verify by checksum, and make the release visible last.

        `report` is called with each completed step.

        Raises:
            GateError: as for `plan`, or if the published files differ from the release.
        """


def read_publication(release: Path, further: Sequence[FurtherGate] = ()) -> Publication:
    """Load a release folder as a publication; `further` is passed to `check_release`.

    Raises:
        RunError: there is no release in the folder.
        GateError: the release fails its checks.
    """
    manifest = check_release(release, further)
    signature = [SIGNATURE] if (release / SIGNATURE).is_file() else []
    covers = tuple(
        ReleaseFile(
            path=name,
            bytes=(release / name).stat().st_size,
            sha256=file_digest(release / name),
        )
        for name in (MANIFEST_DIGEST, *signature, MANIFEST)
    )
    return Publication(release, manifest, (*manifest.files, *covers))
