"""A publication, its files and steps, and the interface of targets."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind
from benchloom.release.checking import check_release
from benchloom.release.gates import AnyGate
from benchloom.release.manifest import (
    MANIFEST,
    MANIFEST_DIGEST,
    SIGNATURE,
    Manifest,
    ReleaseFile,
    file_digest,
)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a publication, which sends a file, leaves it, or removes an outdated one."""

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
        """Return the SHA-256 of a file of the release."""
        return next(file.sha256 for file in self.files if file.path == path)


class Target(Protocol):
    """A folder, store or repository to publish to; paths are relative to the release."""

    name: str

    def check_identity(self) -> None:
        """Raise RunError if the target rejects our credentials; a missing reply is no error."""

    def try_out(self) -> None:
        """Verify that a release could be written to the target, leaving no trace.

        Raises RunError if it could not, StoppedError if the target does not respond.
        """

    def plan(self, publication: Publication) -> list[Step]:
        """List the steps to take, in order, the manifest last; write nothing.

        Raises GateError if the target has a different release of this version.
        """

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Carry out the steps of `plan`, verify by checksum, and make the release visible last.

        `report` is called with each completed step. Raises GateError as `plan` does, or if the
        published files differ.
        """


def read_publication(release: Path, further: Sequence[AnyGate]) -> Publication:
    """Run all gates, and those in `further`, on a release folder; return it as a publication."""
    manifest = check_release(release, further)
    signature = [SIGNATURE] if (release / SIGNATURE).is_file() else []
    covers = tuple(
        ReleaseFile(
            path=name, bytes=(release / name).stat().st_size, sha256=file_digest(release / name)
        )
        for name in (MANIFEST_DIGEST, *signature, MANIFEST)
    )
    return Publication(release, manifest, (*manifest.files, *covers))


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_ONE_SLASH = re.compile(r"([A-Za-z0-9]+):/?(?!/)")


@runtime_checkable
class TargetKind(Protocol):
    """The interface of every module of `targets`."""

    SCHEMES: tuple[str, ...]

    def open_url(self, url: str) -> Target:
        """Return the target for an address with one of the module's schemes."""


TARGETS = Kind(
    "kind of target",
    "benchloom.release.publication.targets",
    TargetKind,
    names=lambda _, member: member.SCHEMES,
)


def open_target(url: str) -> Target:
    """Return the target that an address names, which is a folder if it has no scheme.

    Raises RunError if the scheme is unknown.
    """
    scheme_match = _SCHEME.match(url)
    scheme = scheme_match[1].lower() if scheme_match else "file"
    one_slash = None if scheme_match else _ONE_SLASH.match(url)
    if one_slash and one_slash[1].lower() in TARGETS.all():
        raise RunError(f"{url}: write {one_slash[1]}://{url[one_slash.end() :]}")
    if scheme not in TARGETS.all():
        schemes = ", ".join(f"{name}://" for name in TARGETS.names())
        raise RunError(f"{url}: cannot publish to '{scheme}://'; known: a folder, {schemes}")
    return TARGETS.find(scheme).open_url(url)
