"""`benchloom parse shortcuts` as a command on ten copies of the real archive, in files per second.

It is held against `plistlib.loads` alone on the same bytes, and against a script that reads them as
JSON and makes three things of each by the definitions of the ShortcutsBench paper: its length, its
APIs, and a text that lists its actions. Both run in one process. Medians of turns, by the clock:
an idle machine is needed, with as many cores as the command has processes.
"""

import json
import plistlib
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchloom.built_in_actions import BRANCHING, CONTROL, UNCOUNTED_OR_NONE
from benchmarks.shortcuts import ARCHIVE, COPIES, plistlib_alone, property_lists

TURNS = 3
OPENS, BRANCHES = 0, 1
"""Values of WFControlFlowMode; what follows closes."""


def ratios() -> list[tuple[str, float, str]]:
    """The command with one process and with two, over plistlib and over the script."""
    if not ARCHIVE.is_file():
        sys.stderr.write("parsing: the real archive is not beside the project; nothing to run\n")
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
            "script": partial(measured, texts),
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
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(TURNS):
        for name, side in sides.items():
            start = time.perf_counter()
            files = side()
            found[name].append(files / (time.perf_counter() - start))
    return {name: median(speeds) for name, speeds in found.items()}


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


def measured(texts: list[str]) -> int:
    """Length, APIs and description of each; how many there were."""
    for text in texts:
        actions = json.loads(text).get("WFWorkflowActions", [])
        length(actions)
        apis(actions)
        description(actions)
    return len(texts)


def length(actions: list[dict[str, Any]]) -> int:
    """Actions on the longest way: of branches only the longest counts, a loop's body once."""
    counted, place = 0, 0
    while place < len(actions):
        action = actions[place]
        name = action.get("WFWorkflowActionIdentifier")
        place += 1
        if name not in CONTROL:
            counted += name not in UNCOUNTED_OR_NONE
            continue
        group, mode = _group(action)
        if mode != OPENS:
            continue
        branches: list[int] = []
        start = place
        while place < len(actions):
            other, mode = _group(actions[place])
            place += 1
            if other == group and mode != OPENS:
                branches.append(length(actions[start : place - 1]))
                start = place
                if mode != BRANCHES:
                    break
        counted += max(branches, default=0) if name in BRANCHING else sum(branches)
    return counted


def _group(action: dict[str, Any]) -> tuple[object, int]:
    parameters = action.get("WFWorkflowActionParameters", {})
    return parameters.get("GroupingIdentifier"), int(parameters.get("WFControlFlowMode", OPENS))


def apis(actions: list[dict[str, Any]]) -> set[str]:
    """The different APIs that are called."""
    names = {str(action.get("WFWorkflowActionIdentifier", "")) for action in actions}
    return names - UNCOUNTED_OR_NONE


def description(actions: list[dict[str, Any]]) -> str:
    """Every action with its parameters, one in a line."""
    return "\n".join(
        f"{action.get('WFWorkflowActionIdentifier')}: {action.get('WFWorkflowActionParameters')}"
        for action in actions
    )
