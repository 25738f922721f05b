"""Run a seeded sample of mutmut's mutants of the core: `python -m tests.mutants`.

pyproject.toml lists the modules and the tests that judge them under `tool.mutmut`. The exit code is
1 if less than 85 % of the sample are killed. Each surviving mutant is printed with its change;
docs/decisions/0120 says why some survive. Only a copy below `mutants/` is changed, not the project.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.support.demo_release import RELEASE_VARIABLE, make_demo

MIN_KILLED_SHARE = 0.85
MUTANTS_FOLDER = Path("mutants")
NOT_RUN = None
KILLED = frozenset({1, 3})
"""pytest's exit codes for a failure and for an error."""
SURVIVED = frozenset({0, 5, 33})
"""Exit codes if all tests passed or none ran; other codes are timeouts, which count as kills."""


def read_exit_codes() -> dict[str, int | None]:
    """Return the exit code of every mutant by name, or None for a mutant that did not run."""
    exit_codes: dict[str, int | None] = {}
    for path in sorted(MUTANTS_FOLDER.rglob("*.meta")):
        exit_codes |= json.loads(path.read_text())["exit_code_by_key"]
    return dict(sorted(exit_codes.items()))


def run_mutmut(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of mutmut."""
    command = [sys.executable, "-m", "mutmut", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def module_of(name: str) -> str:
    """Return the module of a mutant."""
    return name.rpartition(".")[0]


def draw_sample(names: Sequence[str], count: int, seed: int) -> list[str]:
    """Draw a uniform sample of names and keep their order."""
    indexes = random.Random(seed).sample(range(len(names)), min(count, len(names)))
    return [names[index] for index in sorted(indexes)]


def main() -> int:
    """Make all mutants and run a sample with the demo release at hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--only", default="", help="of modules whose name holds this text")
    parser.add_argument("--children", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Tests of forged releases copy this release.
        os.environ[RELEASE_VARIABLE] = str(make_demo(Path(folder)))
        return run_sample(options)


def run_sample(options: argparse.Namespace) -> int:
    """Make all mutants, run the sample, print survivors and shares, and return the exit code."""
    build_run = run_mutmut(
        "run", "none-is-called-like-this"
    )  # makes all mutants, then finds none to run
    names = [name for name in read_exit_codes() if options.only in module_of(name)]
    if not names:
        print(build_run.stdout[-3000:] + build_run.stderr[-3000:], file=sys.stderr)
        return 2
    sample = draw_sample(names, options.count, options.seed)
    print(f"{len(sample)} of {len(names)} mutants, seed {options.seed}", flush=True)
    mutmut_run = run_mutmut("run", "--max-children", str(options.children), *sample)
    codes = {name: code for name, code in read_exit_codes().items() if name in set(sample)}
    if any(code is NOT_RUN for code in codes.values()):
        print(mutmut_run.stdout[-3000:] + mutmut_run.stderr[-3000:], file=sys.stderr)
        return 2
    survivors = [name for name, code in codes.items() if code in SURVIVED]
    for name in survivors:
        print(f"\nlives: {name}\n{run_mutmut('show', name).stdout.strip()}")
    survivors_by_module = Counter(map(module_of, survivors))
    for module_name, count in sorted(Counter(map(module_of, sample)).items()):
        print(f"{module_name}: {count - survivors_by_module[module_name]} of {count} killed")
    share = 1 - len(survivors) / len(sample)
    timeouts = sum(code not in KILLED | SURVIVED for code in codes.values())
    print(
        f"{len(sample) - len(survivors)} of {len(sample)} killed ({timeouts} by time): {share:.1%}"
    )
    return 0 if share >= MIN_KILLED_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
