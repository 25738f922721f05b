"""This benchmark compares the conversion of real dialogues with `orjson.loads` on the same bytes.

The figures without Parquet are for converting bytes in memory to checked plans. Those with Parquet
are for the whole stage, from a zip archive to files on disk. Figures of one process are processor
times, which other work on the machine hardly disturbs. Two processes are compared by elapsed time.
"""

import shutil
import sys
import tempfile
import time
import zipfile
from functools import partial
from pathlib import Path

import orjson

from benchloom.core.records.planning_path import Mode
from benchmarks._processor import DATA, best_seconds, usage_of
from flows.stages.dialogues.options import ConversionOptions
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.provenance.name_mode import published_apis
from parsers.dialogues.sgd.schema import read_schema
from tests.support.stages import convert

ARCHIVE = DATA / "sgd.zip"
REPEATS = 7
COPIES = 8
MODES: tuple[tuple[Mode, str], ...] = (("name", ">= 1.0"), ("flow", ">= 0.7"))


def ratios() -> list[tuple[str, float, str]]:
    """Return the speeds in both modes, the gain by a second process, and the peak memory."""
    if not ARCHIVE.is_file():
        sys.stderr.write(f"sgd: {ARCHIVE} is missing, so nothing is measured\n")
        return []
    files = _dialogue_files()
    alone = partial(_orjson_alone, [data for _, data in files])
    figures: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for mode, target in MODES:
            convert = partial(_convert, files, mode)
            write = partial(_write, [ARCHIVE], Path(folder) / mode, 1, mode)
            baseline, bare, written = best_seconds(
                [alone, convert, write], REPEATS, time.process_time
            )
            figures += [
                (f"speed in {mode} mode relative to orjson.loads", baseline / bare, target),
                (
                    f"speed in {mode} mode with Parquet relative to orjson.loads",
                    baseline / written,
                    "none",
                ),
            ]
        copies = _copies(Path(folder))
        single_process, two = best_seconds(
            [partial(_write, copies, Path(folder) / "w", n) for n in (1, 2)], 2
        )
        figures.append(
            (
                f"speed of two processes relative to one, {COPIES} copies",
                single_process / two,
                ">= 1.6",
            )
        )
        figures.append(("peak memory of one process, MiB", _peak([ARCHIVE]), "<= 200"))
        figures.append((f"peak memory, {COPIES} copies, MiB", _peak(copies), "<= 200"))
    return figures


def _dialogue_files() -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(ARCHIVE) as archive:
        return [
            (name.rpartition("/")[0], archive.read(name))
            for name in archive.namelist()
            if "/dialogues_" in name
        ]


def _orjson_alone(contents: list[bytes]) -> None:
    for content in contents:
        orjson.loads(content)


def _convert(files: list[tuple[str, bytes]], mode: Mode) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        schemas = {
            folder: read_schema(archive.read(f"{folder}/schema.json"))
            for folder in {folder for folder, _ in files}
        }
    (test,) = [schema for folder, schema in schemas.items() if folder.endswith("/test")]
    converters = {
        folder: Converter(schema, mode, folder, published_apis(schema, test))
        for folder, schema in schemas.items()
    }
    for folder, data in files:
        for _ in converters[folder].convert(data, folder):
            pass


def _write(inputs: list[Path], out: Path, workers: int, mode: Mode = "flow") -> None:
    shutil.rmtree(out, ignore_errors=True)
    convert("sgd", inputs, out, ConversionOptions(mode=mode), workers=workers)


def _copies(folder: Path) -> list[Path]:
    """Copy the archive several times, so that starting a process is a small share of the time."""
    copies = [folder / f"copy-{number}.zip" for number in range(COPIES)]
    for copy in copies:
        shutil.copyfile(ARCHIVE, copy)
    return copies


def _peak(inputs: list[Path]) -> float:
    return usage_of(["benchmarks.sgd", *map(str, inputs)]).peak_mib


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        _write([Path(name) for name in sys.argv[1:]], Path(scratch) / "out", 1)
