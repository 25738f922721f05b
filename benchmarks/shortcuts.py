"""This benchmark compares parsing and normalising shortcut files with plistlib on equal bytes."""

import plistlib
import shutil
import sys
import tempfile
import zipfile
from functools import partial
from pathlib import Path

from benchmarks._processor import DATA, best_seconds, usage_of
from flows.run.runner import run_stage
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts

ARCHIVE = DATA / "shortcuts.zip"
REPEATS = 5
COPIES = 10


def ratios() -> list[tuple[str, float, str]]:
    """Return the speed relative to plistlib, the gain by a second process, and peak memory."""
    if not ARCHIVE.is_file():
        sys.stderr.write(f"shortcuts: {ARCHIVE} is missing, so nothing is measured\n")
        return []
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder) / f"copy-{number}.zip" for number in range(COPIES)]
        for copy in copies:
            shutil.copyfile(ARCHIVE, copy)
        return [
            ("speed relative to plistlib alone", _against_plistlib(Path(folder)), ">= 0.6"),
            (
                "speed of two processes relative to one, ten copies",
                _two_against_one(copies, Path(folder)),
                ">= 1.6",
            ),
            ("peak memory of ten copies relative to one copy", _memory(copies), "<= 1.3"),
        ]


def _parse_and_normalise(inputs: list[Path], out: Path, workers: int = 1) -> None:
    shutil.rmtree(out, ignore_errors=True)
    parse = parse_shortcuts.prepare(inputs, out)
    parsed = run_stage(parse, workers=workers)
    run_stage(normalise_shortcuts.prepare(parsed), out, workers=workers)


def _plistlib_alone(contents: list[bytes]) -> None:
    for content in contents:
        plistlib.loads(content)


def _property_lists(folder: Path) -> tuple[Path, list[bytes]]:
    """Write an archive of the files that plistlib can read; return its path and their bytes.

    JSON dumps and signed files are left out, because plistlib cannot read them.
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
    """Return the speed of parsing and normalising relative to plistlib, on the same files."""
    archive, contents = _property_lists(folder)
    alone, ours = best_seconds(
        [
            partial(_plistlib_alone, contents),
            partial(_parse_and_normalise, [archive], folder / "ours"),
        ],
        REPEATS,
    )
    return alone / ours


def _two_against_one(inputs: list[Path], folder: Path) -> float:
    out = folder / "workers"
    single, two = best_seconds(
        [partial(_parse_and_normalise, inputs, out, workers) for workers in (1, 2)], 2
    )
    return single / two


def _memory(copies: list[Path]) -> float:
    return _peak(copies) / _peak(copies[:1])


def _peak(inputs: list[Path]) -> float:
    return usage_of(["benchmarks.shortcuts", *map(str, inputs)]).peak_mib


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        _parse_and_normalise([Path(name) for name in sys.argv[1:]], Path(scratch) / "out")
