"""Documents of a release: memory must not grow with its rows."""

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchloom.release.documents import DOCUMENTS, view_release
from benchloom.release.manifest import (
    FORMAT,
    BuildFacts,
    CreatedFrom,
    Manifest,
    ReleaseFile,
    file_digest,
)
from benchloom.storage.stages import part_path
from benchloom.storage.tables import TableWriter
from parsers.shortcuts import parse_shortcut

DEMO = Path(__file__).resolve().parents[1] / "demo" / "shortcuts"
ROWS = 2_000
TIMES = 10


def ratios() -> list[tuple[str, float, str]]:
    """Peak memory of all documents over ten times the rows, to that over the rows."""
    small, large = _peak(ROWS), _peak(ROWS * TIMES)
    return [(f"documents: peak memory, {TIMES} x {ROWS} rows", large / small, "<= 1.5")]


def _peak(rows: int) -> float:
    command = [sys.executable, "-m", "benchmarks.documents", str(rows)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def write_documents_over(rows: int, folder: Path) -> None:
    """Write all documents over a table of this many named shortcuts."""
    files = sorted(path for path in DEMO.iterdir() if path.is_file())
    shortcuts = [parse_shortcut(path.read_bytes(), path.name) for path in files]
    path = part_path(folder, "shortcuts", 0)
    path.parent.mkdir(parents=True)
    with TableWriter("shortcuts", path) as writer:
        for number in range(rows):
            row = shortcuts[number % len(shortcuts)]
            writer.add(
                msgspec.structs.replace(row, source_uri=f"{number:07d}", name=f"Walk {number}")
            )
    file = ReleaseFile(
        path=path.relative_to(folder).as_posix(),
        bytes=path.stat().st_size,
        sha256=file_digest(path),
        table="shortcuts",
        rows=rows,
    )
    manifest = Manifest(
        format=FORMAT,
        version="0.1.0",
        content_digest="content:none",
        created_from=CreatedFrom(sources=(), stages=()),
        files=(file,),
        funnel=(),
        made=BuildFacts(at="", benchloom="", commit=None, python="", pyarrow="", system=""),
    )
    release = view_release(folder, manifest)
    for member in DOCUMENTS.all().values():
        member.write(release, folder)


if __name__ == "__main__":
    with TemporaryDirectory(prefix="benchloom-") as scratch:
        write_documents_over(int(sys.argv[1]), Path(scratch) / "release")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
