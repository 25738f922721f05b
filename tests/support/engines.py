"""Run stages with the engine of a run, as a flow does, but without Prefect."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from flows.run.engines import current_engine
from flows.run.finished import FinishedStage
from flows.run.stage import AnyStage
from flows.stages.shortcuts import enrich, fingerprint, normalise, parse

PART_BYTES = 8_000


def run_by_engine(stage: AnyStage, workers: int = 2) -> FinishedStage:
    """Make the missing shards and finish the stage; raise the first error once all shards ended."""
    engine = current_engine()
    with engine.shards(stage, workers) as make, ThreadPoolExecutor(engine.at_once(workers)) as pool:
        for future in [pool.submit(make, number) for number in stage.missing()]:
            future.result()
    return stage.finish()


def shortcuts_by_engine(inputs: list[Path], workspace: Path) -> Path:
    """Run all stages of shortcuts and return the folder of the last stage."""
    parsed = run_by_engine(parse.prepare(inputs, workspace, part_bytes=PART_BYTES))
    distinct = run_by_engine(normalise.prepare(parsed).below(workspace))
    compared = run_by_engine(fingerprint.prepare(distinct).below(workspace))
    enriched = run_by_engine(enrich.prepare(distinct, compared).below(workspace))
    return enriched.path
