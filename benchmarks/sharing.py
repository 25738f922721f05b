"""Work that a run's own process does when others share the rest; no larger machine reduces it.

    python -m benchmarks.sharing COUNT

prints its processor seconds by stage, with two processes beside it and without any.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.growth import Pipeline
from benchmarks.worlds import write_world
from flows.run.finished import FinishedStage
from flows.run.processes.lean import slim_arrow
from flows.run.runner import whole_path
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import hands
from flows.stages.generate.run import generate_rows, prepare
from flows.stages.release import release_stages

COUNT = 16_000
WORKERS = 2


def ratios() -> list[tuple[str, float, str]]:
    """Return the processor time of that process with workers, relative to all the work."""
    alone, shared = measured(COUNT)
    share = sum(shared.values()) / sum(alone.values())
    return [(f"what one process does of a rebuild, {COUNT} shortcuts", share, "<= 0.12")]


def measured(count: int) -> tuple[dict[str, float], dict[str, float]]:
    """Processor seconds of the run's own process, by stage: alone, and with others."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        write_world(count, Path(name) / "world")
        alone, shared = (_apart(Path(name), workers) for workers in (1, WORKERS))
    return alone, shared


def _apart(folder: Path, workers: int) -> dict[str, float]:
    """Run once in a separate interpreter, which has cached nothing from another run."""
    command = [sys.executable, "-m", "benchmarks.sharing", "--alone", str(folder), str(workers)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return msgspec.json.decode(output, type=dict[str, float])


def _run(folder: Path, workers: int) -> dict[str, float]:
    workspace = folder / f"workspace-{workers}"
    pipeline = Pipeline(folder / "world", workspace, workers)
    finished = [pipeline.joined(), pipeline.plans()]
    for step, source in zip(("instruction", "query"), finished[::-1], strict=True):
        plan = GeneratePlan(step=step, source=source.path)
        out = whole_path(workspace, f"generated/{step}", prepare(plan))

        def write(plan: GeneratePlan = plan, out: Path = out) -> FinishedStage:
            with hands(workers) as worker_hands:
                return generate_rows(plan, out, hands=worker_hands)

        finished.append(pipeline.timed(step, write))
    folders = [stage.path for stage in finished]
    releases = workspace / "releases"
    pipeline.timed("release", lambda: release_stages(folders, releases, workers=workers))
    return pipeline.seconds


def main() -> None:
    """Print what each stage takes of the process of the run."""
    slim_arrow()  # as every command does
    if sys.argv[1] == "--alone":
        stage_seconds = _run(Path(sys.argv[2]), int(sys.argv[3]))
        sys.stdout.write(msgspec.json.encode(stage_seconds).decode() + "\n")
        return
    alone, shared = measured(int(sys.argv[1]))
    for name, seconds in {**alone, "all": sum(alone.values())}.items():
        with_others = shared.get(name, sum(shared.values()))
        sys.stdout.write(f"{name:12} {seconds:8.2f} {with_others:8.2f}\n")


if __name__ == "__main__":
    main()
