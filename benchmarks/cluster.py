"""Two workers of Dask against one, and against two local processes, over a made-up world.

Parsing and enriching, which are nearly all of the work; what a cluster and its workers take to
start is left out, since a run pays for it once.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.worlds import write_world
from flows.run.engines import running, started
from flows.run.engines.base import EngineRequest, Running
from flows.run.finished import open_stage
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.shortcuts import enrich, fingerprint, normalise, parse

COUNT = 6_000
TURNS = 2
SHARD_BYTES = 1_000_000
"""Enough shards for two workers to end together."""


def ratios() -> list[tuple[str, float, str]]:
    """How much sooner two workers are there, best of some turns."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_world(COUNT, folder / "world")
        takers = {("dask", 1): 0.0, ("dask", 2): 0.0, ("local", 2): 0.0}
        for turn in range(TURNS):
            for (kind, workers), before in takers.items():
                workspace = folder / f"{kind}-{workers}-{turn}"
                with started(kind, EngineRequest(workspace=workspace, workers=workers)):
                    taken = _taken(running(), folder / "world" / "shortcuts", workspace, workers)
                takers[kind, workers] = min(before or taken, taken)
        single_worker, two, local = takers.values()
        return [
            ("two workers of Dask against one", single_worker / two, ">= 1.7"),
            ("two workers of Dask against two local processes", local / two, ">= 0.9"),
        ]


def _taken(engine: Running, inputs: Path, workspace: Path, workers: int) -> float:
    """The seconds of parsing and enriching."""
    with engine.mapping(workers) as run:
        list(run(abs, range(4 * workers)))  # workers are there
    parsed = parse.prepare([inputs], workspace / "parsed", shard_bytes=SHARD_BYTES)
    seconds = _made(engine, parsed, workers)
    root = workspace / "normalised"
    distinct = run_stage(normalise.prepare(open_stage(parsed.path), root))
    compared = run_stage(fingerprint.prepare(distinct, root))
    return seconds + _made(engine, enrich.prepare(distinct, compared, root), workers)


def _made(engine: Running, stage: AnyStage, workers: int) -> float:
    start = time.perf_counter()
    with engine.shards(stage, workers) as make, ThreadPoolExecutor(engine.at_once(workers)) as pool:
        list(pool.map(make, stage.missing()))
    taken = time.perf_counter() - start
    stage.finish()
    return taken
