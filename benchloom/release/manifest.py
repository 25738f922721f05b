"""Read and write `manifest.json`: the files of a release, its sources, and its digests.

`content_digest` depends on the tables alone; the time and the machine of the build are in `made`.
`manifest.sha256` contains the digest of the manifest's own bytes. Paths in a manifest are relative,
and on every operating system they stay inside the release folder.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import GateError
from benchloom.core.identity import digest_of_parts
from benchloom.core.set_details import NO_DETAILS, SetDetails, details_faults
from benchloom.storage.code import release_code
from benchloom.storage.inputs import SourceFile, nothing_in
from benchloom.storage.inputs.json_nesting import may_nest_deeper
from benchloom.storage.seals import file_digest
from benchloom.storage.tables import SetFile, set_file
from benchloom.storage.tables.files import is_stage_part
from benchloom.storage.workspace import FunnelStep, write_file

_LONGEST_NAME = 255
"""Maximum number of bytes of a file name in common file systems."""
RESERVED = frozenset({"manifest.json", "manifest.sha256", "manifest.json.minisig", "latest.json"})
"""Names of files that benchloom itself writes beside the files that the manifest lists."""
_DRIVE = re.compile(r"[A-Za-z]:")


def path_fault(path: str) -> str | None:
    """Return why a path of a manifest is unsafe on some operating system, or None if it is safe."""
    if not path:
        return "is empty"
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for letter in path):
        return "contains a control character"
    if "\\" in path:
        return "contains a backslash"
    if path.startswith("/"):
        return "is absolute"
    if _DRIVE.match(path) or ":" in path:
        return "contains a drive, a scheme or a stream"
    if not unicodedata.is_normalized("NFC", path):
        return "is not in Unicode's composed form (NFC)"
    for part in path.split("/"):
        if part in {"", ".", ".."}:
            return f"has a part '{part}'"
        if part != part.rstrip(" ."):
            return "has a part that ends with a dot or a space"
        if len(part.encode()) > _LONGEST_NAME:
            return f"has a part of more than {_LONGEST_NAME} bytes"
    return "is reserved for publishing" if path.casefold() in RESERVED else None


def path_faults(paths: Iterable[str]) -> Iterator[str]:
    """Yield one line per path that is unsafe, listed twice, or the parent of another path."""
    spellings: dict[str, str] = {}
    for path in paths:
        fault = path_fault(path)
        if fault is not None:
            yield f"path {path!r} {fault}"
            continue
        # On many systems, two names that differ only in case are the same file.
        folded = path.casefold()
        if folded in spellings:
            yield f"path {path!r} occurs twice (as {spellings[folded]!r})"
        spellings.setdefault(folded, path)
    for folded, path in spellings.items():
        parts = folded.split("/")
        for end in range(1, len(parts)):
            if "/".join(parts[:end]) in spellings:
                yield f"path {path!r} is below a file"


MANIFEST = "manifest.json"
MANIFEST_DIGEST = "manifest.sha256"
SIGNATURE = "manifest.json.minisig"
FORMAT = "benchloom-release-2"
FORMER_FORMAT = "benchloom-release-1"
"""The earlier format, in which the names of files do not state splits. It can still be read,
checked and compared."""
MAX_BYTES = 256 * 1024 * 1024
MAX_DEPTH = 32
"""Maximum depth of nested JSON in a manifest that is read; benchloom writes 4 levels."""
MAX_FAULTS = 100
VERSION = re.compile(r"(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64}")
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)

__all__ = [
    "FORMAT",
    "FORMER_FORMAT",
    "MANIFEST",
    "MANIFEST_DIGEST",
    "SIGNATURE",
    "BuildFacts",
    "CreatedFrom",
    "Manifest",
    "Previous",
    "ReleaseFile",
    "content_digest",
    "decode_manifest",
    "file_digest",
    "manifest_faults",
    "read_manifest",
    "write_manifest",
]


class ReleaseFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a release. `table` and `rows` are None for a file that is not a table."""

    path: str
    bytes: int
    sha256: str
    table: str | None = None
    rows: int | None = None

    @property
    def in_set(self) -> SetFile | None:
        """The split and number that the file name states, or None.

        It is None for documents and for files of the earlier format.
        """
        return set_file(self.path.rpartition("/")[2])


class BuildFacts(msgspec.Struct, frozen=True, kw_only=True):
    """When and where a release was built. `code` is a digest of the code that wrote the release."""

    at: str
    benchloom: str
    commit: str | None
    python: str
    pyarrow: str
    system: str
    code: str | None = None


class CreatedFrom(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of a release: its source files, and the keys of the stages that made its rows.

    A key is a digest of a stage's code, inputs and options. `released` are the names of the stages
    whose tables the release contains.
    """

    sources: tuple[SourceFile, ...]
    stages: tuple[str, ...]
    released: tuple[str, ...] = ()


class Previous(msgspec.Struct, frozen=True):
    """The version of the previous release, and the SHA-256 of its manifest.

    The digest was computed when the new release was built.
    """

    version: str
    manifest_sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `manifest.json`.

    `previous` contains the digest of the previous manifest, so that a change to an earlier release
    is noticed. `redactions` counts, per table and kind, the placeholders that replaced secret or
    personal values. `merged` counts, per table, the rows that several stages wrote and the release
    contains once. `statistics` are Markdown tables that stages wrote, and `details` are the owner's
    statements about the dataset.
    """

    format: str
    version: str
    content_digest: str
    created_from: CreatedFrom
    files: tuple[ReleaseFile, ...]
    funnel: tuple[FunnelStep, ...]
    made: BuildFacts
    previous: Previous | None = None
    redactions: dict[str, dict[str, int]] = {}
    merged: dict[str, int] = {}
    statistics: dict[str, str] = {}
    details: SetDetails = NO_DETAILS

    def tables(self) -> dict[str, int]:
        """Return a mapping from table name to number of rows, sorted by name."""
        return row_counts(self.files)


def row_counts(files: Iterable[ReleaseFile]) -> dict[str, int]:
    """Return a mapping from table name to number of rows, sorted by name."""
    rows: dict[str, int] = {}
    for file in sorted(files, key=lambda file: file.path):
        if file.table is not None:
            rows[file.table] = rows.get(file.table, 0) + (file.rows or 0)
    return rows


def content_digest(files: tuple[ReleaseFile, ...]) -> str:
    """Return a digest of all table files. It does not depend on time, machine or version."""
    parts: list[str] = []
    for file in sorted(files, key=lambda release_file: release_file.path):
        if file.table is not None:
            parts += [file.path, str(file.rows), file.sha256]
    return digest_of_parts("content", parts)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `manifest.json` and, in `manifest.sha256`, the digest of its bytes."""
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    write_file(folder / MANIFEST, content)
    write_file(folder / MANIFEST_DIGEST, _digest_line(content))


def _digest_line(content: bytes) -> bytes:
    # The format of the command `sha256sum`.
    return f"{hashlib.sha256(content).hexdigest()}  {MANIFEST}\n".encode()


def is_reproducible(manifest: Manifest) -> bool:
    """Return whether the installed code would write the same rows and documents as the release has.

    It is false if other code wrote the release: then differences are not necessarily faults.
    """
    return manifest.made.code == release_code()


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a release folder, and verify its digest and its paths.

    All code reads manifests with this function, so that no path can lead out of the folder. Raises
    RunError if the folder is not a release, and GateError if the manifest was changed or is
    invalid.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise nothing_in(
            folder, f"{folder} is not a release (no {MANIFEST}); pass the folder of a release"
        )
    if path.stat().st_size > MAX_BYTES:
        raise GateError(
            f"{folder.name}: the manifest is unreadable", (f"{MANIFEST}: the file is too large",)
        )
    content = path.read_bytes()
    recorded = folder / MANIFEST_DIGEST
    expected = recorded.read_bytes() if recorded.is_file() else b""
    if _digest_line(content) != expected:
        finding = f"{MANIFEST}: its bytes do not match the digest in {MANIFEST_DIGEST}"
        message = f"{folder.name}: the manifest was changed; copy the release again, or rebuild it"
        raise GateError(message, (finding,))
    manifest = decode_manifest(content, folder.name)
    faults = tuple(f"{MANIFEST}: {fault}" for fault in manifest_faults(manifest))
    if faults:
        raise GateError(f"{folder.name}: {len(faults)} findings", faults[:MAX_FAULTS])
    return manifest


class _Format(msgspec.Struct, frozen=True):
    format: str


def decode_manifest(content: bytes, name: str) -> Manifest:
    """Decode the bytes of a manifest. `name` names the release in error messages.

    Raises GateError if the bytes are not a manifest of a known format.
    """
    try:
        # The exact depth is slow to compute, and a manifest may list a million files.
        if may_nest_deeper(content, MAX_DEPTH) and _depth(content) > MAX_DEPTH:
            raise GateError(
                f"{name}: the manifest is unreadable",
                (f"{MANIFEST}: is nested more than {MAX_DEPTH} levels deep",),
            )
        written_in = msgspec.json.decode(content, type=_Format).format
        if written_in not in {FORMAT, FORMER_FORMAT}:
            raise GateError(
                f"{name}: was made by another version of benchloom; install that version to "
                "read it",
                (f"{MANIFEST}: has the format {written_in!a}, but '{FORMAT}' is expected",),
            )
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise GateError(f"{name}: the manifest is unreadable", (f"{MANIFEST}: {error}",)) from error


def _depth(content: bytes) -> int:
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(content):
        if bracket[0] in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif bracket[0] in b"]}":
            depth -= 1
    return deepest


def manifest_faults(manifest: Manifest) -> Iterator[str]:
    """Yield one line per invalid value in a manifest."""
    versions = [manifest.version, *([manifest.previous.version] if manifest.previous else [])]
    for version in versions:
        if not VERSION.fullmatch(version):
            yield f"'{ascii(version)[1:-1]}' is not a version like 1.2.3"
    yield from (f"details: {fault}" for fault in details_faults(manifest.details))
    yield from path_faults(file.path for file in manifest.files)
    for file in manifest.files:
        path_text = ascii(file.path)
        if file.bytes < 0 or (file.rows or 0) < 0:
            yield f"{path_text}: bytes or rows are below zero"
        if not _HEX.fullmatch(file.sha256):
            yield f"{path_text}: its sha256 is invalid"
        if (file.table is None) != (file.rows is None):
            yield f"{path_text}: table and rows must be set together"
        elif file.table is None and file.path.endswith(".parquet"):
            yield f"{path_text}: is a Parquet file that belongs to no table"
        elif file.table is not None and not _is_part(file.path, file.table, manifest.format):
            yield f"{path_text}: is not in the folder of table {file.table!a}"


def _is_part(path: str, table: str, release_format: str) -> bool:
    folder, _, name = path.partition("/")
    if release_format == FORMER_FORMAT:
        return folder == table and is_stage_part(name, table)
    return folder == table and set_file(name) is not None
