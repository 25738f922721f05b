"""A release of one small table, built without a flow, and functions that forge it."""

from pathlib import Path

import msgspec

from benchloom.core.records import Rejected
from benchloom.release import ReleaseTable, build_release, read_manifest
from benchloom.release.documents.citation import citation
from benchloom.release.gates.details import CITATION
from benchloom.release.manifest import (
    MANIFEST,
    Manifest,
    ReleaseFile,
    content_digest,
    decode_manifest,
    file_digest,
    write_manifest,
)
from benchloom.storage.inputs import SourceFile
from benchloom.storage.tables import write_table
from benchloom.storage.workspace import StageMark, write_mark


def small_stage(folder: Path, rows: int = 3, reason: str = "broken") -> StageMark:
    """Write a finished stage of rejected rows."""
    records = [Rejected("parse", f"file-{row:03d}", reason, "not read") for row in range(rows)]
    write_table("rejected", records, folder / "rejected.parquet")
    source = SourceFile(source_uri="inputs.zip", digest=f"file:sha256:{64 * '0'}", size=9)
    mark = StageMark(
        stage="parse-shortcuts",
        key=f"stage:sha256:{rows:064x}",
        objects=rows,
        rows={"rejected": rows},
        reasons={reason: rows},
        sources=(source,),
    )
    return write_mark(folder, mark)


def small_release(folder: Path, rows: int = 3) -> Path:
    """Build a checked release below `folder`."""
    stage = folder / f"stage-{rows}"
    mark = small_stage(stage, rows)
    return build_release([ReleaseTable("rejected", stage)], [mark], folder / "releases")


def reseal(folder: Path, **changes: object) -> None:
    """Write the manifest again with some fields changed and a correct digest, as a forger would."""
    forge(folder, msgspec.structs.replace(read_manifest(folder), **changes))


def forge(folder: Path, manifest: Manifest) -> None:
    """Write a manifest with the content digest of its files."""
    digest = content_digest(manifest.files)
    write_manifest(
        folder, with_citation(folder, msgspec.structs.replace(manifest, content_digest=digest))
    )


def with_citation(folder: Path, manifest: Manifest) -> Manifest:
    """Write the citation again, which names version and digest, unless it was forged before."""
    path = folder / CITATION
    if not path.is_file():
        return manifest
    # The manifest is read without checks, because it may have been forged before.
    previous_manifest = decode_manifest((folder / MANIFEST).read_bytes(), folder.name)
    old, new = (
        citation(facts.details, facts.version, facts.content_digest).encode()
        for facts in (previous_manifest, manifest)
    )
    if path.read_bytes() != old or old == new:
        return manifest
    path.write_bytes(new)
    files = tuple(
        msgspec.structs.replace(file, bytes=path.stat().st_size, sha256=file_digest(path))
        if file.path == CITATION
        else file
        for file in manifest.files
    )
    return msgspec.structs.replace(manifest, files=files)


def add_entry(folder: Path, path: str, content: bytes) -> None:
    """Add a file to the manifest, and to the folder if its path is inside the folder."""
    file_path = folder / "README.md"
    if not path.startswith(("/", "..")) and "\0" not in path and "\\" not in path:
        file_path = folder / path
        file_path.parent.mkdir(parents=True, exist_ok=True)
        file_path.write_bytes(content)
    entry = ReleaseFile(path=path, bytes=file_path.stat().st_size, sha256=file_digest(file_path))
    manifest = read_manifest(folder)
    forge(folder, msgspec.structs.replace(manifest, files=(*manifest.files, entry)))


def replace_entry(folder: Path, path: Path) -> None:
    """Update the manifest's entry of a file to the file's current bytes."""
    manifest = read_manifest(folder)
    name = path.relative_to(folder).as_posix()
    files = tuple(
        msgspec.structs.replace(file, bytes=path.stat().st_size, sha256=file_digest(path))
        if file.path == name
        else file
        for file in manifest.files
    )
    forge(folder, msgspec.structs.replace(manifest, files=files))
