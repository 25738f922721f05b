"""This benchmark measures the work of a rebuild that only its main process can do.

More workers do not shorten this work.

    python -m benchmarks.sharing COUNT

prints the processor seconds of the main process for each stage, first alone, then with two workers.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._processor import apart, print_json
from benchmarks.growth import Pipeline
from benchmarks.worlds import write_world
from flows.run.finished import FinishedStage
from flows.run.processes.lean import skip_pandas
from flows.run.runner import whole_path
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import batch_pool
from flows.stages.generate.run import generate_rows, prepare
from flows.stages.release import release_stages

COUNT = 16_000
WORKERS = 2


def ratios() -> list[tuple[str, float, str]]:
    """Return the processor time of the main process with workers, relative to its time alone."""
    alone, shared = measured(COUNT)
    share = sum(shared.values()) / sum(alone.values())
    return [(f"share of the main process in a rebuild, {COUNT} shortcuts", share, "<= 0.12")]


def measured(count: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return two mappings from stages to processor seconds of the main process.

    The first mapping is for a run in one process, the second for a run with two workers.
    """
    with TemporaryDirectory(prefix="benchloom-") as name:
        write_world(count, Path(name) / "world")
        alone, shared = (_apart(Path(name), workers) for workers in (1, WORKERS))
    return alone, shared


def _apart(folder: Path, workers: int) -> dict[str, float]:
    """Run the stages in a new interpreter, which has cached nothing from another run."""
    return apart(dict[str, float], "benchmarks.sharing", "--alone", folder, workers)


def _run(folder: Path, workers: int) -> dict[str, float]:
    workspace = folder / f"workspace-{workers}"
    pipeline = Pipeline(folder / "world", workspace, workers)
    finished = [pipeline.joined(), pipeline.plans()]
    for step, source in zip(("instruction", "query"), finished[::-1], strict=True):
        plan = GeneratePlan(step=step, source=source.path)
        out = whole_path(workspace, f"generated/{step}", prepare(plan))

        def write(plan: GeneratePlan = plan, out: Path = out) -> FinishedStage:
            with batch_pool(workers) as worker_hands:
                return generate_rows(plan, out, batch_pool=worker_hands)

        finished.append(pipeline.timed(step, write))
    folders = [stage.path for stage in finished]
    releases = workspace / "releases"
    pipeline.timed("release", lambda: release_stages(folders, releases, workers=workers))
    return pipeline.seconds


def main() -> None:
    """Print the processor seconds of the main process for each stage."""
    skip_pandas()  # as every command does
    if sys.argv[1] == "--alone":
        print_json(_run(Path(sys.argv[2]), int(sys.argv[3])))
        return
    alone, shared = measured(int(sys.argv[1]))
    for name, seconds in {**alone, "all": sum(alone.values())}.items():
        with_others = shared.get(name, sum(shared.values()))
        sys.stdout.write(f"{name:12} {seconds:8.2f} {with_others:8.2f}\n")


if __name__ == "__main__":
    main()
