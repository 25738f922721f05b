"""This module runs a stage as one Prefect task, which makes the stage's shards and merges them.

Threads of the task pass the numbers of shards to the workers of an engine, but never rows. Shards
are no task runs, because these would show nothing beyond the progress of the stage. Stages continue
by themselves, since finished shards are marked on disk, so nothing is cached or retried here.
"""

import asyncio
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from benchloom.core.progress import say, under_way
from benchloom.core.structs import settle_structs
from flows.console.bars import format_duration
from flows.engine.artifacts import (
    MAX_REASONS,
    ProgressArtifact,
    describe_reasons,
    describe_step,
    show_stage,
)
from flows.engine.run_log import log_line, run_logger
from flows.run.engines import Make, current_engine
from flows.run.finished import FinishedStage
from flows.run.stage import AnyStage

# When a task fails, Prefect (3.8) starts the rollback of its transaction without waiting for it.
# The rollback still happens once the error has reached the flow.
warnings.filterwarnings(
    "ignore", r"coroutine 'AsyncTransaction\.rollback' was never awaited", RuntimeWarning
)


async def run_stage_task(stage: AnyStage, workspace: Path, workers: int) -> FinishedStage:
    """Run a stage as a task of the current flow run, with up to `workers` workers.

    If the stage is already finished, return its result without running it again.
    """
    stage = stage.below(workspace)
    start = time.monotonic()
    with under_way(f"{stage.name}: checking finished shards"):
        finished = stage.complete()
        missing = [] if finished is not None else stage.missing()
    if finished is not None:
        log_line(f"{stage.name}: already finished, in {finished.path}")
        say(f"{stage.name}: {describe_step(finished.steps[-1], MAX_REASONS)}; unchanged")
        return finished
    settle_structs()
    engine = current_engine()

    @task(
        name=stage.name,
        task_run_name=f"{stage.name}: {len(missing)} of {stage.count} shards",
        description=stage.what,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    async def make_stage() -> FinishedStage:
        # For a single shard, starting a process takes longer than it saves.
        with (
            stage.reused_results(),
            engine.shards(stage, min(workers, len(missing))) as make,
        ):
            await _make_shards(stage, missing, make, engine.at_once(workers))
            with under_way(f"{stage.name}: merging shards"):
                finished = stage.finish()
                await show_stage(finished)
        return finished

    finished = await make_stage()
    there = stage.count - len(missing)
    unchanged_note = f"{there} of {stage.count} shards unchanged, " if there else ""
    took = format_duration(time.monotonic() - start)
    say(f"{stage.name}: {describe_step(finished.steps[-1], MAX_REASONS)}; {unchanged_note}{took}")
    return finished


async def _make_shards(stage: AnyStage, numbers: Sequence[int], make: Make, at_once: int) -> None:
    """Make the shards with these numbers, up to `at_once` in parallel, and show the progress.

    After the first error no further shard is begun, and the error is raised.
    """
    logger = run_logger()
    there = stage.count - len(numbers)
    logger.info("%d shards to make, %d finished before", len(numbers), there)
    progress = await ProgressArtifact.start(stage.name, there, stage.count)
    call = asyncio.get_running_loop().run_in_executor
    with (
        under_way(stage.name, len(numbers), "shards") as progress_bar,
        ThreadPoolExecutor(at_once, thread_name_prefix=stage.name) as threads,
    ):
        shards = [call(threads, copy_context().run, make, number) for number in numbers]
        try:
            for shard in asyncio.as_completed(shards):
                shard_result = await shard
                progress_bar.advance()
                await progress.advance()
                why = (
                    f", left out: {describe_reasons(shard_result.reasons)}"
                    if shard_result.reasons
                    else ""
                )
                shard_label = f"shard {shard_result.number + 1} of {stage.count}"
                logger.info("%s: %d objects read%s", shard_label, shard_result.objects, why)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            await asyncio.gather(*shards, return_exceptions=True)
