"""Publishing a release to a folder or any object store, complete or invisible.

Files go up under their release's path and are read back and compared; the manifest goes last, so a
reader who starts from it never sees half a release. A killed upload started again sends only what
is missing or differs. `latest.json` is switched after everything else.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from benchloom.errors import GateError, RunError
from benchloom.release.checking import check_release
from benchloom.release.manifest import MANIFEST, MANIFEST_DIGEST, Manifest
from benchloom.release.versions import LATEST, Latest

_CHUNK = 8 * 1024 * 1024


class Target(Protocol):
    """Where releases are published: paths are relative, with forward slashes."""

    name: str

    def digest(self, path: str) -> str | None:
        """SHA-256 of what stands at `path`, None when nothing does."""

    def put(self, path: str, local: Path) -> None:
        """Write a file; it appears whole."""

    def put_bytes(self, path: str, content: bytes) -> None:
        """Write a small file; it appears whole."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a publication: `action` is send or keep."""

    path: str
    action: str
    bytes: int


def plan_publication(release: Path, target: Target) -> tuple[Manifest, list[Step]]:
    """What has to be sent, in order, the manifest last.

    Raises:
        GateError: the release is not sound, or the target holds another one of this version.
    """
    manifest = check_release(release)
    prefix = manifest.version
    there = target.digest(f"{prefix}/{MANIFEST}")
    if there is not None and there != _local_digest(release / MANIFEST):
        raise GateError(
            f"{target.name}: release {prefix} is published and differs",
            (f"{prefix}/{MANIFEST}: releases are never changed",),
        )
    steps: list[Step] = []
    for name, digest, size in _files(release, manifest):
        action = "keep" if target.digest(f"{prefix}/{name}") == digest else "send"
        steps.append(Step(path=name, action=action, bytes=size))
    return manifest, steps


def _files(release: Path, manifest: Manifest) -> Iterator[tuple[str, str, int]]:
    for file in manifest.files:
        yield file.path, file.sha256, file.bytes
    for name in (MANIFEST_DIGEST, MANIFEST):
        path = release / name
        yield name, _local_digest(path), path.stat().st_size


def publish(
    release: Path, target: Target, report: Callable[[Step], None] | None = None
) -> list[Step]:
    """Publish a release and verify every file; the steps that were taken.

    Raises:
        GateError: the release is not sound, or what stands at the target differs afterwards.
    """
    manifest, steps = plan_publication(release, target)
    for step in steps:
        path = f"{manifest.version}/{step.path}"
        if step.action == "send":
            target.put(path, release / step.path)
            if target.digest(path) != _local_digest(release / step.path):
                raise GateError(f"{target.name}: upload differs", (f"{path}: digest differs",))
        if report is not None:
            report(step)
    target.put_bytes(LATEST, msgspec.json.encode(Latest(manifest.version)) + b"\n")
    return steps


def _local_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_target(url: str) -> Target:
    """The target of an address.

    Raises:
        RunError: nothing can be published to such an address.
    """
    return FileSystemTarget(url)


class FileSystemTarget:
    """A folder or object store through fsspec: `/path`, `s3://bucket/prefix`, `memory://x`."""

    def __init__(self, url: str, options: dict[str, object] | None = None) -> None:
        import fsspec

        self.name = url
        try:
            self._files, root = fsspec.core.url_to_fs(url, **(options or {}))
        except (ValueError, ImportError) as error:
            raise RunError(f"{url}: {error}") from error
        self._root = str(root).rstrip("/")

    def digest(self, path: str) -> str | None:
        """SHA-256 of what stands at `path`, read back from the store."""
        hasher = hashlib.sha256()
        try:
            self._files.invalidate_cache()
            with self._files.open(f"{self._root}/{path}", "rb") as file:
                while chunk := file.read(_CHUNK):
                    hasher.update(chunk)
        except FileNotFoundError:
            return None
        return hasher.hexdigest()

    def put(self, path: str, local: Path) -> None:
        """Write under a temporary name and move where the store has folders, else in one put."""
        self._write(path, lambda place: self._files.put_file(str(local), place))

    def put_bytes(self, path: str, content: bytes) -> None:
        """Write a small file."""
        self._write(path, lambda place: self._files.pipe_file(place, content))

    def _write(self, path: str, write: Callable[[str], None]) -> None:
        place = f"{self._root}/{path}"
        if "file" not in self._protocols():
            write(place)  # object stores show an object only when it is complete
            return
        self._files.makedirs(place.rpartition("/")[0], exist_ok=True)
        temporary = f"{place}.part"
        write(temporary)
        self._files.mv(temporary, place)

    def _protocols(self) -> tuple[str, ...]:
        protocol = self._files.protocol
        return (protocol,) if isinstance(protocol, str) else tuple(protocol)
