"""`manifest.json`: what a release holds, what it was made from, and its digests.

`content_digest` depends on the tables alone: same rows, same digest, on any machine on any day.
Facts of time and machine stand in `made`, which no digest of content covers. The bytes of the
manifest itself are covered by `manifest.sha256` beside it.
"""

import hashlib
from pathlib import Path

import msgspec

from benchloom.errors import GateError, RunError
from benchloom.identity import digest_of_parts
from benchloom.inputs import SourceFile
from benchloom.workspace import FunnelStep, write_file

MANIFEST = "manifest.json"
MANIFEST_DIGEST = "manifest.sha256"
FORMAT = "benchloom-release-1"


class ReleaseFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a release; `rows` is None for a file that is not a table."""

    path: str
    bytes: int
    sha256: str
    table: str | None = None
    rows: int | None = None


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """Time and machine facts; never part of a digest of content."""

    at: str
    benchloom: str
    commit: str | None
    python: str
    pyarrow: str
    system: str


class CreatedFrom(msgspec.Struct, frozen=True, kw_only=True):
    """What a release was made from: source files and the keys of the stages."""

    sources: tuple[SourceFile, ...]
    stages: tuple[str, ...]


class Previous(msgspec.Struct, frozen=True):
    """The release before: its version, and the SHA-256 of its manifest when this one was built."""

    version: str
    manifest_sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of one release.

    `previous` ties it to the release before it, so that no release can be changed unseen once
    another was built on it.
    """

    format: str
    version: str
    content_digest: str
    created_from: CreatedFrom
    files: tuple[ReleaseFile, ...]
    funnel: tuple[FunnelStep, ...]
    made: Made
    previous: Previous | None = None

    def tables(self) -> dict[str, int]:
        """Rows per table."""
        rows: dict[str, int] = {}
        for file in self.files:
            if file.table is not None:
                rows[file.table] = rows.get(file.table, 0) + (file.rows or 0)
        return rows


def content_digest(files: tuple[ReleaseFile, ...]) -> str:
    """The digest of all table files, independent of time, machine and version."""
    parts: list[str] = []
    for file in sorted(files, key=lambda found: found.path):
        if file.table is not None:
            parts += [file.path, str(file.rows), file.sha256]
    return digest_of_parts("content", parts)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest and the digest of its bytes."""
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    write_file(folder / MANIFEST, content)
    write_file(folder / MANIFEST_DIGEST, _digest_line(content))


def _digest_line(content: bytes) -> bytes:
    """The whole of `manifest.sha256`, as sha256sum writes it."""
    return f"{hashlib.sha256(content).hexdigest()}  {MANIFEST}\n".encode()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a release folder, its bytes checked.

    Raises:
        RunError: there is no release in the folder.
        GateError: the manifest was changed or cannot be read.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise RunError(f"{folder}: no release here (no {MANIFEST})")
    content = path.read_bytes()
    recorded = folder / MANIFEST_DIGEST
    expected = recorded.read_bytes() if recorded.is_file() else b""
    if _digest_line(content) != expected:
        raise GateError(f"{folder.name}: changed", (f"{MANIFEST}: bytes differ from its digest",))
    try:
        return msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as error:
        raise GateError(f"{folder.name}: unreadable manifest", (f"{MANIFEST}: {error}",)) from error
