"""Parse and normalise real shortcut files against plistlib alone on the same bytes."""

import plistlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flows.run.runner import run_stage
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts

if TYPE_CHECKING:
    from collections.abc import Callable

ARCHIVE = Path(__file__).resolve().parents[2] / "shared" / "data" / "shortcuts.zip"
REPEATS = 5
COPIES = 10


def ratios() -> list[tuple[str, float, str]]:
    """Files/s against plistlib, two processes against one, and memory of ten copies."""
    if not ARCHIVE.is_file():
        sys.stderr.write("shortcuts: the real archive is not beside the project; nothing to run\n")
        return []
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder) / f"copy-{number}.zip" for number in range(COPIES)]
        for copy in copies:
            shutil.copyfile(ARCHIVE, copy)
        return [
            ("files/s against plistlib alone", _against_plistlib(Path(folder)), ">= 0.6"),
            (
                "two processes against one, ten copies",
                _two_against_one(copies, Path(folder)),
                ">= 1.6",
            ),
            ("peak memory of ten copies against one", _memory(copies), "<= 1.3"),
        ]


def _parse_and_normalise(inputs: list[Path], out: Path, workers: int = 1) -> int:
    """Both stages, to Parquet on disk; the number of parsed rows."""
    shutil.rmtree(out, ignore_errors=True)
    parse = parse_shortcuts.prepare(inputs, out)
    parsed = run_stage(parse, workers=workers)
    run_stage(normalise_shortcuts.prepare(parsed), out, workers=workers)
    return parsed.rows["shortcuts"]


def _plistlib_alone(contents: list[bytes]) -> int:
    for content in contents:
        plistlib.loads(content)
    return len(contents)


def _property_lists(folder: Path) -> tuple[Path, list[bytes]]:
    """An archive of every member that plistlib can read, and the same bytes in memory.

    JSON dumps and signed files are left out: plistlib alone cannot read them, so they would
    weigh on one side only.
    """
    copy = folder / "property-lists.zip"
    contents: list[bytes] = []
    with (
        zipfile.ZipFile(ARCHIVE) as archive,
        zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as copy_archive,
    ):
        for name in archive.namelist():
            data = archive.read(name)
            if "unsigned/" in name and data and not data.lstrip().startswith((b"{", b"[")):
                copy_archive.writestr(name, data)
                contents.append(data)
    return copy, contents


def _against_plistlib(folder: Path) -> float:
    """Both sides in turns in this process, best of several, in files per second."""
    archive, contents = _property_lists(folder)
    sides: list[Callable[[], int]] = [
        partial(_plistlib_alone, contents),
        partial(_parse_and_normalise, [archive], folder / "ours"),
    ]
    best = [0.0, 0.0]
    for _ in range(REPEATS):
        for index, side in enumerate(sides):
            start = time.perf_counter()
            files = side()
            best[index] = max(best[index], files / (time.perf_counter() - start))
    return best[1] / best[0]


def _two_against_one(inputs: list[Path], folder: Path) -> float:
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(2):
        for workers, fastest in best.items():
            start = time.perf_counter()
            _parse_and_normalise(inputs, folder / "workers", workers)
            best[workers] = min(fastest, time.perf_counter() - start)
    return best[1] / best[2]


def _memory(copies: list[Path]) -> float:
    return _peak(copies) / _peak(copies[:1])


def _peak(inputs: list[Path]) -> int:
    """Peak resident memory of a fresh process over the inputs."""
    command = [sys.executable, "-m", "benchmarks.shortcuts", *map(str, inputs)]
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(finished.stdout)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        _parse_and_normalise([Path(name) for name in sys.argv[1:]], Path(scratch) / "out")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
