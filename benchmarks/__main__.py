"""Run every benchmark module, or those named on the command line, and print their ratios.

Each runs in an interpreter of its own: peak memory is inherited from the parent, so one that needs
much would be counted against those after it.
"""

import subprocess
import sys

from benchmarks import BENCHMARKS
from benchmarks._pace import pace
from flows.run.processes.lean import slim_arrow

ALONE = "--alone"


def main() -> None:
    """Run the benchmarks one after another; the first that fails ends it."""
    slim_arrow()  # as every command does
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
    """Print one line per ratio: what, measured, target; and how fast the machine was."""
    with pace() as meanwhile:
        ratios = BENCHMARKS.find(name).ratios()
    for label, measured, target in ratios:
        print(f"{name}: {label}: {measured:.2f} (target {target})", flush=True)
    print(f"{name}: pace of this machine meanwhile: {meanwhile}", flush=True)


if __name__ == "__main__":
    main()
