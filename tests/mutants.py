"""`python -m tests.mutants`: a seeded sample of mutmut's mutants of the core, and which live.

Modules and the tests that judge them stand in pyproject.toml under `tool.mutmut`. Exit code 1 when
less than 85 % of the sample are killed; living ones are told with what they change, and why they
may stands in docs/decisions/0120. A copy below `mutants/` is what is changed, never the project.
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

SHARE = 0.85
PLACE = Path("mutants")
NOT_RUN = None
KILLED = frozenset({1, 3})
"""pytest's exit codes for a failure and for an error."""
LIVES = frozenset({0, 5, 33})
"""All passed, or no test reached it; what is left ran out of time, which kills as well."""


def results() -> dict[str, int | None]:
    """The exit code of every mutant that was made, by name; None for one that did not run."""
    exit_codes: dict[str, int | None] = {}
    for path in sorted(PLACE.rglob("*.meta")):
        exit_codes |= json.loads(path.read_text())["exit_code_by_key"]
    return dict(sorted(exit_codes.items()))


def mutmut(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of mutmut."""
    command = [sys.executable, "-m", "mutmut", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def module(name: str) -> str:
    """The module that a mutant is one of."""
    return name.rpartition(".")[0]


def chosen(names: Sequence[str], count: int, seed: int) -> list[str]:
    """So many of them, each as likely as any other, in their order."""
    picked = random.Random(seed).sample(range(len(names)), min(count, len(names)))
    return [names[index] for index in sorted(picked)]


def main() -> int:
    """Make all, run a sample, tell what lives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--only", default="", help="of modules whose name holds this text")
    parser.add_argument("--children", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Tests of forged releases copy this release.
        os.environ[RELEASE_VARIABLE] = str(make_demo(Path(folder)))
        return judge(options)


def judge(options: argparse.Namespace) -> int:
    """Make all mutants, run the sample, tell; the exit code."""
    build_run = mutmut(
        "run", "none-is-called-like-this"
    )  # makes them all, and then finds none to run
    names = [name for name in results() if options.only in module(name)]
    if not names:
        print(build_run.stdout[-3000:] + build_run.stderr[-3000:], file=sys.stderr)
        return 2
    sample = chosen(names, options.count, options.seed)
    print(f"{len(sample)} of {len(names)} mutants, seed {options.seed}", flush=True)
    ran = mutmut("run", "--max-children", str(options.children), *sample)
    codes = {name: code for name, code in results().items() if name in set(sample)}
    if any(code is NOT_RUN for code in codes.values()):
        print(ran.stdout[-3000:] + ran.stderr[-3000:], file=sys.stderr)
        return 2
    living = [name for name, code in codes.items() if code in LIVES]
    for name in living:
        print(f"\nlives: {name}\n{mutmut('show', name).stdout.strip()}")
    lost = Counter(map(module, living))
    for module_name, count in sorted(Counter(map(module, sample)).items()):
        print(f"{module_name}: {count - lost[module_name]} of {count} killed")
    share = 1 - len(living) / len(sample)
    late = sum(code not in KILLED | LIVES for code in codes.values())
    print(f"{len(sample) - len(living)} of {len(sample)} killed ({late} by time): {share:.1%}")
    return 0 if share >= SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
