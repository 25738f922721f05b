"""Publish releases to local folders and object stores.

A published release is a folder. It is complete as soon as it contains a manifest.
"""

import hashlib
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from benchloom.core.errors import GateError, RunError
from benchloom.release.manifest import MANIFEST
from benchloom.release.publication.target import Publication, Step
from benchloom.release.versions import LATEST, Latest
from benchloom.storage.workspace import refuse_release

# The stores of fsspec that can be written to, without archives, caches and git hosts.
SCHEMES = (
    "abfs",
    "adl",
    "az",
    "box",
    "dbfs",
    "dropbox",
    "file",
    "ftp",
    "gcs",
    "gdrive",
    "gs",
    "hdfs",
    "lakefs",
    "local",
    "memory",
    "oci",
    "oss",
    "s3",
    "s3a",
    "sftp",
    "smb",
    "ssh",
    "tos",
    "webdav",
    "webhdfs",
)
_WITH_BUCKETS = frozenset({"gcs", "gs", "s3", "s3a"})
_CHUNK = 8 * 1024 * 1024


def open_url(url: str) -> "FileSystemTarget":
    """Return the target for the address of a folder or an object store.

    Raises RunError if the address is invalid.
    """
    scheme, _, path = url.rpartition("://")
    if scheme.lower() in _WITH_BUCKETS and not path.strip("/"):
        raise RunError(f"{url} contains no bucket; write {scheme}://BUCKET/FOLDER")
    return FileSystemTarget(url)


class FileSystemTarget:
    """A folder or object store that fsspec can open, such as `/path` or `s3://bucket/prefix`."""

    def __init__(self, url: str) -> None:
        import fsspec
        from fsspec.implementations.local import LocalFileSystem

        self.name = url
        try:
            # A cached instance would use the credentials of an earlier one.
            self._files, root = fsspec.core.url_to_fs(url, skip_instance_cache=True)
        except (ValueError, ImportError) as error:
            raise RunError(f"{url}: {error}") from error
        self._root = str(root).rstrip("/")
        if isinstance(self._files, LocalFileSystem):
            refuse_release(Path(self._root))

    def check_identity(self) -> None:
        """Do nothing: the credentials of a store can only be tested by writing to it."""

    def try_out(self) -> None:
        """Write and remove a small file with a unique name. Raise RunError if this fails."""
        name = f".benchloom-{uuid.uuid4().hex}"
        try:
            with _store_faults(self.name):
                if "file" in self._protocols():
                    # A trial creates no folder; it writes to the nearest existing parent.
                    root = Path(self._root)
                    above = next(path for path in (root, *root.parents) if path.exists())
                    with tempfile.TemporaryFile(dir=above):
                        return
                trial_path = f"{self._root}/{name}"
                self._files.pipe_file(trial_path, b"benchloom")
                self._files.rm_file(trial_path)
        except OSError as error:
            raise RunError(f"{self.name} cannot be written: {error.strerror or error}") from error

    def plan(self, publication: Publication) -> list[Step]:
        """Return a step per file: it is sent, or it is kept if the store has an equal file."""
        with _store_faults(self.name):
            return self._plan(publication)

    def _plan(self, publication: Publication) -> list[Step]:
        version = publication.version
        there = self.digest(f"{version}/{MANIFEST}")
        if there is not None and there != publication.digest(MANIFEST):
            raise GateError(
                f"{self.name}: release {version} is already published with other content; "
                "publish it as a new version",
                (f"{version}/{MANIFEST}: releases are never changed",),
            )
        return [
            Step(
                path=file.path,
                action="keep" if self.digest(f"{version}/{file.path}") == file.sha256 else "send",
                bytes=file.bytes,
            )
            for file in publication.files
        ]

    def send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        """Send each file and read it back; the manifest is last. Then update `latest.json`."""
        with _store_faults(self.name):
            return self._send(publication, report)

    def _send(self, publication: Publication, report: Callable[[Step], None]) -> list[Step]:
        steps = self._plan(publication)
        for step in steps:
            path = f"{publication.version}/{step.path}"
            if step.action == "send":
                self.put(path, publication.folder / step.path)
                if self.digest(path) != publication.digest(step.path):
                    raise GateError(
                        f"{self.name}: upload failed; publish again",
                        (f"{path}: the digest of the sent file differs",),
                    )
            report(step)
        self.put_bytes(LATEST, msgspec.json.encode(Latest(publication.version)) + b"\n")
        return steps

    def digest(self, path: str) -> str | None:
        """Read a file back from the store and return its SHA-256, or None if it does not exist."""
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
        """Write the file `local` to `path` atomically.

        In a folder, a temporary file is renamed; an object store gets a single upload.
        """
        with local.open("rb"):
            pass  # an unreadable local file must not be reported as a fault of the target
        self._write(path, lambda target_path: self._files.put_file(str(local), target_path))

    def put_bytes(self, path: str, content: bytes) -> None:
        """Write a small file with this content to `path`."""
        self._write(path, lambda target_path: self._files.pipe_file(target_path, content))

    def _write(self, path: str, write: Callable[[str], None]) -> None:
        try:
            self._write_whole(f"{self._root}/{path}", write)
        except OSError as error:
            raise RunError(
                f"{self.name}: cannot write {path}: {error.strerror or error}; "
                "written files remain in the folder; publish again to write the rest"
            ) from error

    def _write_whole(self, path: str, write: Callable[[str], None]) -> None:
        if "file" not in self._protocols():
            write(path)  # object stores show an object only when it is complete
            return
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        temporary = f"{path}.part"
        try:
            write(temporary)
        except OSError:
            with suppress(OSError):
                self._files.rm_file(temporary)  # it would fill a full disk
            raise
        self._files.mv(temporary, path)

    def _protocols(self) -> tuple[str, ...]:
        protocol = self._files.protocol
        return (protocol,) if isinstance(protocol, str) else tuple(protocol)


@contextmanager
def _store_faults(name: str) -> Iterator[None]:
    # The S3 client's errors about keys and addresses are not OSError.
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("botocore", "aiobotocore"):
            raise RunError(f"{name}: {error}") from error
        raise
