"""Define what a publication is, and the interface of targets, to which releases are published."""

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
    """A step of a publication. `action` says whether a file is sent, left as it is, or removed."""

    path: str
    action: str
    bytes: int


@dataclass(frozen=True)
class Publication:
    """A checked release on this machine that is to be published.

    `files` ends with `manifest.json`.
    """

    folder: Path
    manifest: Manifest
    files: tuple[ReleaseFile, ...]

    @property
    def version(self) -> str:
        """The version of the release."""
        return self.manifest.version

    def digest(self, path: str) -> str:
        """Return the SHA-256 digest of a file of the release."""
        return next(file.sha256 for file in self.files if file.path == path)


class Target(Protocol):
    """A folder, object store or repository to which releases are published."""

    name: str

    def check_identity(self) -> None:
        """Raise RunError if the target rejects our credentials.

        It is no error if it does not respond.
        """

    def try_out(self) -> None:
        """Test whether a release could be written to the target, and leave no trace.

        Raises RunError if it could not, and StoppedError if the target does not respond.
        """

    def plan(self, publication: Publication) -> list[Step]:
        """Return the steps that would publish a release, in order, without changing the target.

        The last step sends the manifest. Raises GateError if the target has a different release of
        this version.
        """

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Carry out the steps of `plan`, verify every file, and return the completed steps.

        Files are verified by their digests. The release becomes visible in the last step. `report`
        is called with each completed step. Raises GateError if the target has a different release
        of this version, or if a published file differs.
        """


def read_publication(release: Path, further: Sequence[AnyGate]) -> Publication:
    """Run all checks on a release folder, also those in `further`, and return it for publishing."""
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
    """A kind of target, for example file systems.

    This is the interface of a module in `targets`.
    """

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
    """Return the target for an address such as `s3://bucket/folder`.

    No scheme means a local folder. Raises RunError if the scheme is unknown.
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
