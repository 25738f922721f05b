"""Conversion of the real dialogues against `orjson.loads` alone on the same bytes.

"Conversion" is bytes in memory to checked plans, every dialogue, without writing; "with Parquet"
is the whole stage, from the zip archive to files on disk. One-process figures are processor time,
which other work on the machine hardly disturbs; two processes are compared by the clock.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import orjson

from benchloom.core.records.planning_path import Mode
from flows.stages.dialogues.options import ConversionOptions
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.sgd.schema import read_schema
from parsers.dialogues.tracing.name_mode import published_apis
from tests.support.stages import convert

ARCHIVE = Path(__file__).resolve().parents[2] / "shared" / "data" / "sgd.zip"
REPEATS = 7
COPIES = 8
MODES: tuple[tuple[Mode, str], ...] = (("name", ">= 1.0"), ("flow", ">= 0.7"))


def ratios() -> list[tuple[str, float, str]]:
    """Speed of both modes, two processes against one, and peak memory."""
    if not ARCHIVE.is_file():
        sys.stderr.write("sgd: the real archive is not beside the project; nothing to run\n")
        return []
    files = _dialogue_files()
    alone = partial(_orjson_alone, [data for _, data in files])
    figures: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for mode, target in MODES:
            convert = partial(_convert, files, mode)
            write = partial(_write, [ARCHIVE], Path(folder) / mode, 1, mode)
            baseline, bare, written = _best([alone, convert, write], REPEATS, time.process_time)
            figures += [
                (f"{mode} mode against orjson.loads alone", baseline / bare, target),
                (f"{mode} mode with Parquet against orjson.loads", baseline / written, "no target"),
            ]
        copies = _copies(Path(folder))
        single_process, two = _best(
            [partial(_write, copies, Path(folder) / "w", n) for n in (1, 2)], 2, time.perf_counter
        )
        figures.append(
            (f"two processes against one, {COPIES} copies", single_process / two, ">= 1.6")
        )
        figures.append(("peak memory of one process, MiB", _peak([ARCHIVE]), "<= 200"))
        figures.append((f"peak memory, {COPIES} copies, MiB", _peak(copies), "<= 200"))
    return figures


def _dialogue_files() -> list[tuple[str, bytes]]:
    """Folder and bytes of every file of dialogues."""
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


def _best(sides: list[Callable[[], None]], repeats: int, clock: Callable[[], float]) -> list[float]:
    """Seconds of each side, taken in turns, the best of several."""
    best = [float("inf")] * len(sides)
    for _ in range(repeats):
        for index, side in enumerate(sides):
            start = clock()
            side()
            best[index] = min(best[index], clock() - start)
    return best


def _copies(folder: Path) -> list[Path]:
    """The archive several times, so that starting the processes weighs less."""
    copies = [folder / f"copy-{number}.zip" for number in range(COPIES)]
    for copy in copies:
        shutil.copyfile(ARCHIVE, copy)
    return copies


def _peak(inputs: list[Path]) -> float:
    """Peak resident memory of a fresh process that converts the inputs, in MiB."""
    command = [sys.executable, "-m", "benchmarks.sgd", *map(str, inputs)]
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(finished.stdout) / 1024


def own_peak() -> int:
    """Peak resident memory in KiB; unlike ru_maxrss it forgets the process this one came from."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        _write([Path(name) for name in sys.argv[1:]], Path(scratch) / "out", 1)
    print(own_peak())
