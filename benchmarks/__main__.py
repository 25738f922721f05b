"""Run every benchmark module, or those named on the command line, and print their ratios.

Each runs in an interpreter of its own: peak memory is inherited from the parent, so one that needs
much would be counted against those after it.
"""

import importlib
import pkgutil
import subprocess
import sys

import benchmarks

ALONE = "--alone"


def main() -> None:
    """Run the benchmarks one after another; the first that fails ends it."""
    words = sys.argv[1:]
    if words[:1] == [ALONE]:
        report(words[1])
        return
    known = sorted(
        module.name
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if not module.name.startswith("_")
    )
    for name in words or known:
        command = [sys.executable, "-m", "benchmarks", ALONE, name]
        subprocess.run(command, check=True)


def report(name: str) -> None:
    """Print one line per ratio: what, measured, target."""
    module = importlib.import_module(f"benchmarks.{name}")
    for label, measured, target in module.ratios():
        print(f"{name}: {label}: {measured:.2f} (target {target})", flush=True)


if __name__ == "__main__":
    main()
