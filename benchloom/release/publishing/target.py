"""What is published, and what every kind of target offers."""

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
    """One file of a publication.

    `action` is send, keep (it is there and equal), or remove (only the release before this one
    had it, where a target shows one release at a time).
    """

    path: str
    action: str
    bytes: int


@dataclass(frozen=True)
class Publication:
    """A sound release on this machine: its folder, its manifest and all its files.

    A signature and the two files of the manifest come last, `manifest.json` as the very last.
    """

    folder: Path
    manifest: Manifest
    files: tuple[ReleaseFile, ...]

    @property
    def version(self) -> str:
        """The version that is published."""
        return self.manifest.version

    def digest(self, path: str) -> str:
        """SHA-256 of one of its files."""
        return next(file.sha256 for file in self.files if file.path == path)


class Target(Protocol):
    """Where releases are published. Paths are those of the release, with forward slashes."""

    name: str

    def ask_who(self) -> None:
        """Ask whether who we say to be is known here, before anything long is done.

        Only what costs a moment is asked; where nobody answers, nothing is said.

        Raises:
            RunError: the target does not know us.
        """

    def try_out(self) -> None:
        """Prove that a release could be written here; nothing of that stays.

        Raises:
            RunError: it could not; the message says why.
            StoppedError: nobody answers now.
        """

    def plan(self, publication: Publication) -> list[Step]:
        """What has to be done, in order, the manifest last; nothing is written.

        Raises:
            GateError: another release of this version is published here.
        """

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Do what `plan` says, verify it by checksum, and make the release visible last.

        `report` is called with each step that was taken.

        Raises:
            GateError: as `plan`, or what stands at the target differs afterwards.
        """


def read_publication(release: Path, further: Sequence[FurtherGate] = ()) -> Publication:
    """A release folder as something to publish; `further` as in `check_release`.

    Raises:
        RunError: there is no release in the folder.
        GateError: the release is not sound.
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
