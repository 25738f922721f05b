"""One Prefect flow for any sharded stage: a task per shard, then the stage is finished.

Tasks run in threads and hand the work to worker processes; they pass numbers and paths, never
rows. There are at most 48 shards, so Prefect's cost per task stays small. Resuming is the stage's
own business (shards with a mark are not made again), so no result is cached and nothing is retried
here.
"""

from prefect import flow, get_run_logger, task
from prefect.artifacts import acreate_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.task_runners import ThreadPoolTaskRunner

from benchloom.stages import ShardMark
from benchloom.workspace import StageMark
from flows.progress import Progress
from flows.stages.sharded import ShardedStage
from flows.stages.workers import shard_runner


async def run_stage_flow(stage: ShardedStage, workers: int) -> StageMark:
    """Run a stage as a flow named after it; a finished stage costs nothing."""
    mark = stage.complete()
    if mark is not None:
        return mark

    @task(cache_policy=NO_CACHE, task_run_name=stage.name + "-{number}")
    def make_shard(number: int) -> ShardMark:
        return run(stage.work, number)

    runner: ThreadPoolTaskRunner[ShardMark] = ThreadPoolTaskRunner(max_workers=workers)

    @flow(
        name=stage.name,
        task_runner=runner,  # type: ignore[arg-type]  # invariant in its kind of future
        validate_parameters=False,
        persist_result=False,
    )
    async def make_stage() -> StageMark:
        missing = stage.missing()
        logger = get_run_logger()
        logger.info("%s: %d of %d shards to make", stage.name, len(missing), stage.count)
        with Progress(stage.name) as progress:
            progress.start(len(missing))
            for future in [make_shard.submit(number) for number in missing]:
                future.result()
                progress.advance()
        finished = stage.finish()
        await _publish(finished)
        return finished

    with shard_runner(workers) as run:
        return await make_stage()


async def _publish(mark: StageMark) -> None:
    """The stage's figures as a table in Prefect's interface."""
    rows: list[dict[str, object]] = [{"what": "objects read", "count": mark.objects}]
    rows += [{"what": f"rows in {table}", "count": n} for table, n in mark.rows.items()]
    rows += [{"what": f"left out: {reason}", "count": n} for reason, n in mark.reasons.items()]
    await acreate_table_artifact(key=mark.stage, table=rows, description=mark.key)
