"""Fuzz the manifest of a release; the digest file beside it is renewed for every mutant.

The release folder contains none of the files that a manifest lists, so a path that leads out of the
folder would be noticed.
"""

import hashlib
import tempfile
from pathlib import Path

import msgspec

from benchloom.release.checking import check_release
from benchloom.release.manifest import (
    FORMAT,
    MANIFEST,
    MANIFEST_DIGEST,
    BuildFacts,
    CreatedFrom,
    Manifest,
    Previous,
    ReleaseFile,
    content_digest,
    read_manifest,
)
from benchloom.storage.inputs import SourceFile
from benchloom.storage.workspace import FunnelStep
from tests.fuzz import Target

_WORDS = (
    b"..",
    b"../",
    b"/",
    b"\\\\",
    b"\\u0000",
    b"\\ud800",
    b"null",
    b"-1",
    b"1e999",
    b"99999999999999999999999999",
    b"[" * 200,
    b'{"a":' * 200,
    b'"table"',
    b'"previous"',
    b".parquet",
    b"NaN",
)


def seeds() -> list[bytes]:
    """Return two invented manifests: a first release, and a release that names its predecessor."""
    first = _manifest(None)
    return [
        msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
        for manifest in (first, _manifest(Previous("0.1.0", 64 * "a")))
    ]


def _manifest(previous: Previous | None) -> Manifest:
    files = (
        ReleaseFile(path="README.md", bytes=10, sha256=64 * "0"),
        ReleaseFile(path="sample/tasks/1.html", bytes=20, sha256=64 * "1"),
        ReleaseFile(
            path="rejected/unsplit-00000-of-00001.parquet",
            bytes=30,
            sha256=64 * "2",
            table="rejected",
            rows=3,
        ),
    )
    source = SourceFile("inputs.zip", f"file:sha256:{64 * '3'}", 40)
    step = FunnelStep(stage="parse-shortcuts", received=3, reasons={"x": 3}, rows={"rejected": 3})
    return Manifest(
        format=FORMAT,
        version="0.2.0" if previous else "0.1.0",
        content_digest=content_digest(files),
        created_from=CreatedFrom(
            sources=(source,),
            stages=(f"stage:sha256:{64 * '4'}",),
            released=("parse-shortcuts",),
        ),
        files=files,
        funnel=(step,),
        made=BuildFacts(
            at="2026-01-01T00:00:00+00:00",
            benchloom="0",
            commit=None,
            python="3.11.0",
            pyarrow="1",
            system="Linux",
        ),
        previous=previous,
    )


def read(data: bytes) -> int:
    """Read and check a release that contains only this manifest."""
    with tempfile.TemporaryDirectory(prefix="benchloom-fuzz-") as temporary_folder:
        folder = Path(temporary_folder) / "release"
        folder.mkdir()
        (folder / MANIFEST).write_bytes(data)
        line = f"{hashlib.sha256(data).hexdigest()}  {MANIFEST}\n"
        (folder / MANIFEST_DIGEST).write_text(line)
        files = read_manifest(folder).files
        check_release(folder)
        return len(files)


TARGET = Target(name="manifest", seeds=seeds, read=read, words=_WORDS)
