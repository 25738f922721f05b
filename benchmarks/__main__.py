"""This program runs all benchmarks, or those named on the command line, and prints their figures.

Each benchmark runs in a separate interpreter, because a process inherits the peak memory of its
parent.
"""

import subprocess
import sys

from benchmarks import BENCHMARKS
from benchmarks._pace import pace
from flows.run.processes.lean import skip_pandas

ALONE = "--alone"


def main() -> None:
    """Run the benchmarks one after another, and stop after the first that fails."""
    skip_pandas()  # as every command does
    words = sys.argv[1:]
    if words[:1] == [ALONE]:
        report(words[1])
        return
    unknown = [name for name in words if name not in BENCHMARKS.names()]
    if unknown:
        sys.exit(BENCHMARKS.unknown(unknown[0]))
    for name in words or BENCHMARKS.names():
        command = [sys.executable, "-m", "benchmarks", ALONE, name]
        subprocess.run(command, check=True)


def report(name: str) -> None:
    """Run a benchmark; print each figure with its target, and the pace of the machine."""
    with pace() as machine_pace:
        ratios = BENCHMARKS.find(name).ratios()
    for label, measured, target in ratios:
        print(f"{name}: {label}: {measured:.2f} (target {target})", flush=True)
    print(f"{name}: time of the fixed work on this machine: {machine_pace}", flush=True)


if __name__ == "__main__":
    main()
