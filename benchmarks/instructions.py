"""`generate instruction` of twice as many plans: processor time of one process.

    python -m benchmarks.instructions DIALOGUES

prints the plans of a made world with so many dialogues, and the seconds. Templates write the texts,
and every check looks at them, those across texts too.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.worlds import write_dialogues
from flows.run.processes.lean_arrow import slim_arrow
from flows.run.runner import run_stage
from flows.stages.dialogues import normalise
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import generate_rows
from tests.support.stages import convert

DIALOGUES = (10_000, 20_000)
"""Four of five become plans."""
TURNS = 2


def ratios() -> list[tuple[str, float, str]]:
    """The larger over the smaller one, the best of turns."""
    best = dict.fromkeys(DIALOGUES, (0, float("inf")))
    for _ in range(TURNS):
        for count in DIALOGUES:
            best[count] = min(best[count], _apart(count), key=lambda told: told[1])
    (few, sooner), (many, later) = best.values()
    return [(f"generate instruction, {many} plans over {few}", later / sooner, "<= 2.15")]


def _apart(count: int) -> tuple[int, float]:
    """Plans and seconds in an interpreter of its own."""
    command = [sys.executable, "-m", "benchmarks.instructions", str(count)]
    plans, seconds = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return int(plans), float(seconds)


def measured(count: int) -> tuple[int, float]:
    """How many plans so many dialogues make, and what writing about them takes."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        write_dialogues(folder / "dialogues" / "train", count, 1)
        out = folder / "converted"
        converted = convert("sgd", [folder / "dialogues"], out, ConversionOptions())
        merged = run_stage(normalise.prepare([converted], folder / "normalised"))
        plans = merged.rows["planning_paths"]
        plan = GeneratePlan(step="instruction", source=merged.path)
        start = time.process_time()
        generate_rows(plan, folder / "generated")
        return plans, time.process_time() - start


if __name__ == "__main__":
    slim_arrow()  # as every command does
    sys.stdout.write(json.dumps(measured(int(sys.argv[1]))) + "\n")
