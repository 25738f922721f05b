"""One Prefect flow for any sharded stage: a task per shard, then the stage is finished.

Where a single shard is missing it is a task of the flow that asks for the stage.

Tasks run in threads and hand the work to an engine's workers; they pass numbers and paths, never
rows. There are about 48 shards at most, so Prefect's cost per task stays small. Resuming is the
stage's own business (shards with a mark are not made again), so no result is cached and nothing is
retried here.
"""

import sys
import time
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from benchloom.stages import ShardMark
from benchloom.structs import settle_structs
from benchloom.under_way import say, under_way
from benchloom.workspace import StageMark
from flows.engine.artifacts import SHORTLY, ShownProgress, reasons_told, show_stage, told
from flows.engine.run_log import run_logger, tell
from flows.stages.engines import running
from flows.stages.sharded import ShardedStage
from flows.telling.times import seconds_told
from flows.unchanged.marking import stage_used


async def run_stage_flow(stage: ShardedStage, workers: int) -> StageMark:
    """Run a stage, as a flow named after it where there is more than one shard to make.

    A finished stage costs nothing.
    """
    stage_used(stage.folder)
    start = time.monotonic()
    with under_way(f"{stage.name}: what is there"):
        mark = stage.complete()
        missing = [] if mark is not None else stage.missing()
    if mark is not None:
        tell(f"{stage.name}: is there already, in {stage.folder}")
        say(f"{stage.name}: {told(mark.funnel()[-1], SHORTLY)}; unchanged")
        return mark
    settle_structs()

    def shard_name(parameters: dict[str, Any]) -> str:
        return f"{stage.name} shard {parameters['number'] + 1} of {stage.count}"

    # The type of names with parameters asks for a method that plain functions need not have.
    @task(cache_policy=NO_CACHE, task_run_name=shard_name)  # type: ignore[arg-type]
    def make_shard(number: int) -> ShardMark:
        return make(number)

    engine = running()
    at_once = engine.at_once(workers)
    runner: ThreadPoolTaskRunner[ShardMark] = ThreadPoolTaskRunner(max_workers=at_once)

    async def make_stage() -> StageMark:
        await _follow(stage, [make_shard.submit(number) for number in missing])
        with under_way(f"{stage.name}: putting together"):
            finished = stage.finish()
            await show_stage(finished, stage.folder)
        return finished

    as_flow = flow(
        name=stage.name,
        flow_run_name=f"{stage.name}: {len(missing)} of {stage.count} shards",
        description=_description(stage),
        task_runner=runner,  # type: ignore[arg-type]  # invariant in its kind of future
        validate_parameters=False,
        persist_result=False,
    )
    # A page for one shard alone would tell what its task tells.
    start_stage = as_flow(make_stage) if len(missing) > 1 else make_stage
    # A process for one shard alone would only cost its start.
    with engine.shards(stage, min(workers, len(missing))) as make:
        finished = await start_stage()
    there = stage.count - len(missing)
    kept = f"{there} of {stage.count} shards unchanged, " if there else ""
    took = seconds_told(time.monotonic() - start)
    say(f"{stage.name}: {told(finished.funnel()[-1], SHORTLY)}; {kept}{took}")
    return finished


async def _follow(stage: ShardedStage, shards: list[PrefectFuture[ShardMark]]) -> None:
    """Wait for shards and show each that is made; the first fault ends it."""
    logger = run_logger()
    there = stage.count - len(shards)
    logger.info("%d shards to make, %d are there", len(shards), there)
    shown = await ShownProgress.start(stage.name, there, stage.count)
    with under_way(stage.name, len(shards), "shards") as one:
        for future in as_completed(shards):
            made = future.result()
            one.advance()
            await shown.advance()
            why = f", left out: {reasons_told(made.reasons)}" if made.reasons else ""
            place = f"shard {made.number + 1} of {stage.count}"
            logger.info("%s: %d objects read%s", place, made.objects, why)


def _description(stage: ShardedStage) -> str:
    """What the stage does: the first line about the module that makes its shards."""
    work = getattr(stage.work, "func", stage.work)
    text = sys.modules[work.__module__].__doc__ or stage.name
    return text.strip().splitlines()[0]
