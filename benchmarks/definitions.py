"""This benchmark measures the speed of parsing definition files, and memory for a large bundle."""

import json
import plistlib
import sys
import tempfile
import zipfile
from pathlib import Path

from benchmarks._processor import DATA, best_seconds, usage_of
from flows.run.runner import run_whole
from flows.stages.definitions.parse import prepare_catalogue
from parsers.definitions import DefinitionContext, parse_definitions
from parsers.errors import ParseError

ARCHIVE = DATA / "api_definitions.zip"
REPEATS = 7
IPA_MEGABYTES = 500


def ratios() -> list[tuple[str, float, str]]:
    """Return the speed relative to plistlib and json, and the memory for a bundle of 500 MB."""
    measured: list[tuple[str, float, str]] = []
    if ARCHIVE.is_file():
        measured.append(("speed relative to decoding alone", _against_decoding(), ">= 0.5"))
    else:
        sys.stderr.write(f"definitions: {ARCHIVE} is missing, so no real files are parsed\n")
    with tempfile.TemporaryDirectory() as folder:
        stored = _large_bundle(Path(folder), zipfile.ZIP_STORED)
        label = f"peak memory for an .ipa of {IPA_MEGABYTES} MB"
        measured.append((f"{label}, MiB", _peak(stored), "<= 150"))
        outer = Path(folder) / "outer.zip"
        with zipfile.ZipFile(outer, "w", zipfile.ZIP_STORED) as archive:
            archive.write(stored, "apps/large.ipa")
        stored.unlink()
        measured.append((f"{label} inside a zip, MiB", _peak(outer), "<= 150"))
    return measured


def _against_decoding() -> float:
    """Return the speed of parsing all files to records, relative to decoding them with plistlib."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if "/" in name}
    files = {name: data for name, data in files.items() if data}

    def decode() -> None:
        for data in files.values():
            if data.startswith((b"bplist", b"<?xml")):
                plistlib.loads(data)
            else:
                json.loads(data)

    def parse() -> None:
        for name, data in files.items():
            try:
                parse_definitions(data, DefinitionContext(name))
            except ParseError as error:
                sys.stderr.write(f"{name}: {error.reason}\n")

    alone, parsing = best_seconds([decode, parse], REPEATS)
    return alone / parsing


def _large_bundle(folder: Path, compression: int) -> Path:
    """Write an .ipa of 500 MB of invented resources with one definition file."""
    from tests.support.samples.bundles import ROOT, info
    from tests.support.samples.definitions import sample

    path = folder / "large.ipa"
    block = bytes(range(256)) * 4096
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr(f"{ROOT}/Info.plist", info("org.example.large", "1.0"))
        archive.writestr(f"{ROOT}/Intents.intentdefinition", sample("sirikit")[1])
        for number in range(IPA_MEGABYTES // 50):
            with archive.open(f"{ROOT}/asset-{number}.bin", "w") as member:
                for _ in range(50):
                    member.write(block)
    return path


def _peak(path: Path) -> float:
    return usage_of(["benchmarks.definitions", str(path)]).peak_mib


def _parse(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        mark = run_whole(prepare_catalogue([path]), Path(folder) / "out")
    if mark.rows["api_definitions"] != 3:
        sys.exit(f"expected 3 definitions: {mark.rows}")


if __name__ == "__main__":
    _parse(Path(sys.argv[1]))
