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
    """One file of a publication; `action` is send, keep, or remove (of the release before)."""

    path: str
    action: str
    bytes: int


@dataclass(frozen=True)
class Publication:
    """A verified release on this machine; the last of `files` is `manifest.json`."""

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
    """A place where releases are published; paths are relative to the release."""

    name: str

    def ask_who(self) -> None:
        """Raise RunError if the target does not know our credentials; no answer is no error."""

    def try_out(self) -> None:
        """Prove that a release could be written here, leaving no trace.

        Raises RunError if it cannot, StoppedError if the target does not answer now.
        """

    def plan(self, publication: Publication) -> list[Step]:
        """List the steps to take, in order, the manifest last; write nothing.

        Raises GateError if another release of this version is published here.
        """

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Carry out the steps of `plan`, verify by checksum, and make the release visible last.

        `report` is called with each completed step. Raises GateError as `plan` does, or if the
        published files differ.
        """


def read_publication(release: Path, further: Sequence[FurtherGate] = ()) -> Publication:
    """Check a release folder, with the gates `further`, and return it as a publication."""
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
