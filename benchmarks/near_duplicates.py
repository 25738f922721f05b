"""Clusters and leakage search over 50 k made shortcuts against 5 k, in time and memory."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random

import numpy as np

from benchloom.core.identity import tagged_digest
from benchloom.normalise.shortcuts.fingerprints import Fingerprints, joined_fingerprints
from benchloom.normalise.shortcuts.leakage import report_leakage
from benchloom.normalise.shortcuts.near_duplicates import find_clusters
from benchloom.normalise.shortcuts.splits import split_of

MANY = 50_000
FEW = 5_000
SHINGLES = 60
FAMILY = 5
"""Shortcuts per family of variants; every family shares a few shingles that all shortcuts have."""


def fingerprints(count: int) -> Fingerprints:
    """Made shortcuts in families of variants."""
    chance = Random(1)  # noqa: S311  made data, no secret
    common = [chance.getrandbits(64) for _ in range(200)]
    idents: list[str] = []
    sets: list[np.ndarray[tuple[int], np.dtype[np.uint64]]] = []
    base: list[int] = []
    for number in range(count):
        if number % FAMILY == 0:
            size = chance.randint(2, 2 * SHINGLES)
            base = [chance.getrandbits(64) for _ in range(size)] + chance.sample(common, 8)
        own = {value for value in base if chance.random() > 0.05}
        own |= {chance.getrandbits(64) for _ in range(chance.randint(0, 4))}
        idents.append(tagged_digest("shortcut", str(number).encode()))
        sets.append(np.array(sorted(own), dtype=np.uint64))
    return joined_fingerprints(idents, sets, [np.array([len(own) for own in sets], np.int64)])


def _clusters(found: Fingerprints) -> None:
    find_clusters(found)


def _leakage(found: Fingerprints) -> None:
    anchors = find_clusters(found).anchors()
    report_leakage(found, anchors, [split_of(anchor) for anchor in anchors])


def ratios() -> list[tuple[str, float, str]]:
    """Ten times the shortcuts: time of clusters, time with the leakage report, memory."""
    # First: a started process inherits the peak of the one that starts it.
    memory = _peak(MANY) / _peak(FEW)
    few, many = fingerprints(FEW), fingerprints(MANY)
    return [
        (
            "time of 50 k clusters against 5 k",
            _time(_clusters, many) / _time(_clusters, few),
            "<= 14",
        ),
        ("the same with leakage report", _time(_leakage, many) / _time(_leakage, few), "<= 14"),
        ("peak memory of 50 k against 5 k", memory, "<= 6"),
    ]


def _time(work: Callable[[Fingerprints], None], found: Fingerprints) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        work(found)
        best = min(best, time.process_time() - start)
    return best


def _peak(count: int) -> int:
    """Peak resident memory of a fresh process."""
    command = [sys.executable, "-m", "benchmarks.near_duplicates", str(count)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    _leakage(fingerprints(int(sys.argv[1])))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
