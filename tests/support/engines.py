"""Stages made by the engine of the run, as a flow has them made, without Prefect."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchloom.storage.workspace import StageMark
from flows.run.engines import running
from flows.run.stage import AnyStage
from flows.stages.shortcuts import enrich, fingerprint, normalise, parse

SHARD_BYTES = 8_000


def run_by_engine(stage: AnyStage, workers: int = 2) -> StageMark:
    """Make what is missing and finish the stage; the first fault comes when no shard runs."""
    engine = running()
    with engine.shards(stage, workers) as make, ThreadPoolExecutor(engine.at_once(workers)) as pool:
        for future in [pool.submit(make, number) for number in stage.missing()]:
            future.result()
    return stage.finish()


def shortcuts_by_engine(inputs: list[Path], workspace: Path) -> Path:
    """The folder of the stage that may be released."""
    parsed = parse.prepare(inputs, workspace / "parsed", shard_bytes=SHARD_BYTES)
    run_by_engine(parsed)
    root = workspace / "normalised"
    distinct = normalise.prepare(parsed.folder, root)
    run_by_engine(distinct)
    compared = fingerprint.prepare(distinct.folder, root)
    run_by_engine(compared)
    enriched = enrich.prepare(distinct.folder, compared.folder, root)
    run_by_engine(enriched)
    return enriched.folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
