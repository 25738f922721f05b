"""This benchmark measures the speed of the simulated device on the shortcuts of the demo.

Times are processor times of one process, with made-up answers to questions. A run includes the
preparation of arguments and the digest of the effects.
"""

import time
from pathlib import Path
from statistics import median

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Shortcut
from benchloom.device.runs import run
from parsers.shortcuts import parse_shortcut

FOLDER = Path(__file__).resolve().parents[1] / "demo" / "shortcuts"
LOOP = "long-walk.shortcut"
ROUNDS = 50
_MILLI = 1_000


def ratios() -> list[tuple[str, float, str]]:
    """Return the median and the longest time of a shortcut, and the steps per second."""
    shortcuts = _shortcuts()
    millis: dict[str, list[float]] = {name: [] for name in shortcuts}
    steps = {name: run(shortcut).steps for name, shortcut in shortcuts.items()}
    for _ in range(ROUNDS):
        for name, shortcut in shortcuts.items():
            before = time.process_time()
            run(shortcut)
            millis[name].append(time.process_time() - before)
    medians = {name: median(durations) for name, durations in millis.items()}
    slowest = max(medians, key=lambda name: medians[name])
    return [
        (f"median of {len(medians)} shortcuts, ms", _MILLI * median(medians.values()), "<= 5"),
        (f"slowest shortcut ({slowest}), ms", _MILLI * medians[slowest], "none"),
        ("steps per second", sum(steps.values()) / sum(medians.values()), ">= 10000"),
        (f"steps per second of {LOOP}", steps[LOOP] / medians[LOOP], ">= 10000"),
    ]


def _shortcuts() -> dict[str, Shortcut]:
    shortcuts = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and path.parent.name != "damaged":
            try:
                shortcut = parse_shortcut(path.read_bytes(), path.name)
            except RejectedInputError:
                continue
            shortcuts[path.name] = shortcut
    return shortcuts
