"""`benchloom parse shortcuts` as a command on ten copies of the real archive, in files per second.

It is held against `plistlib.loads` alone on the same bytes, and against the script of
`benchmarks._json_script`, which reads them as JSON. Both run in one process. Medians of turns, by
the clock: an idle machine is needed, with as many cores as the command has processes.
"""

import json
import plistlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks._json_script import Definition, measured
from benchmarks.shortcuts import ARCHIVE, COPIES, plistlib_alone, property_lists

DEFINITIONS = ARCHIVE.with_name("api_definitions.zip")
TURNS = 3


def ratios() -> list[tuple[str, float, str]]:
    """The command with one process and with two, over plistlib and over the script."""
    if not (ARCHIVE.is_file() and DEFINITIONS.is_file()):
        sys.stderr.write("parsing: the real archives are not beside the project; nothing to run\n")
        return []
    with tempfile.TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        archive, contents = property_lists(folder)
        copies = folder / "copies"
        copies.mkdir()
        for number in range(COPIES):
            shutil.copyfile(archive, copies / f"copy-{number}.zip")
        texts = [_as_json(content) for content in contents]
        sides: dict[str, Callable[[], int]] = {
            "plistlib": partial(plistlib_alone, contents),
            "script": partial(measured, texts, _definitions()),
            "one": partial(_command, copies, folder / "out", 1, len(contents)),
            "two": partial(_command, copies, folder / "out", 2, len(contents)),
        }
        speed = _speeds(sides)
    return [
        ("command, one process, over plistlib", speed["one"] / speed["plistlib"], "none"),
        ("command, two processes, over plistlib", speed["two"] / speed["plistlib"], ">= 0.75"),
        ("command, one process, over the script", speed["one"] / speed["script"], "none"),
        ("command, two processes, over the script", speed["two"] / speed["script"], ">= 2"),
    ]


def _speeds(sides: dict[str, Callable[[], int]]) -> dict[str, float]:
    """Files per second of each side, taken in turns, the medians."""
    speeds_by_name: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(TURNS):
        for name, side in sides.items():
            start = time.perf_counter()
            files = side()
            speeds_by_name[name].append(files / (time.perf_counter() - start))
    return {name: median(speeds) for name, speeds in speeds_by_name.items()}


def _command(inputs: Path, out: Path, workers: int, files: int) -> int:
    """Run it over the copies of so many files; how many files there are in all of them."""
    shutil.rmtree(out, ignore_errors=True)
    words = ["parse", "shortcuts", str(inputs), "--out", str(out), "--workers", str(workers)]
    command = [sys.executable, "-m", "flows.cli", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return files * COPIES


def _as_json(content: bytes) -> str:
    """A shortcut as the paper's files hold it."""

    def told(value: bytes | datetime) -> str:
        return b64encode(value).decode() if isinstance(value, bytes) else value.isoformat()

    return json.dumps(plistlib.loads(content), default=told, indent=4, ensure_ascii=False)


def _definitions() -> dict[str, Definition]:
    """Return the names of Apple's own actions and of their parameters, by identifier."""
    with zipfile.ZipFile(DEFINITIONS) as archive:
        (name,) = (member for member in archive.namelist() if member.endswith("WFActions.plist"))
        actions = plistlib.loads(archive.read(name))
    definitions = {}
    for name, action in actions.items():
        labels = {
            parameter["Key"]: str(parameter.get("Label", parameter["Key"]))
            for parameter in action.get("Parameters", [])
            if "Key" in parameter
        }
        definitions[name] = Definition(str(action.get("Name", name)), labels)
    return definitions
