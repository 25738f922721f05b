"""Flow convert: dialogues to planning paths."""

import flows.prefect_settings  # isort: skip  settings before Prefect
from collections.abc import Sequence
from pathlib import Path

from prefect import flow
from prefect.artifacts import acreate_markdown_artifact

from benchloom.errors import RunError
from benchloom.workspace import STATISTICS_TABLE, StageMark
from flows.stage_flow import run_stage_flow
from flows.stages import convert_sgd
from flows.stages.sgd_options import PARQUET, SgdOptions

__all__ = ["convert", "flows"]


@flow(name="convert")
async def convert(
    inputs: Sequence[Path],
    workspace: Path,
    workers: int = 1,
    options: SgdOptions | None = None,
) -> tuple[Path, StageMark]:
    """Convert SGD dialogues; the folder of the finished stage and its mark.

    The statistics table of the plans is published as an artifact.

    Raises:
        RunError: the options ask for another format than Parquet, which no release can hold.
    """
    if options is not None and options.format != PARQUET:
        raise RunError(f"a rebuild publishes Parquet, not '{options.format}'")
    stage = convert_sgd.prepare(inputs, workspace / "parsed", options)
    mark = await run_stage_flow(stage, workers)
    table = (stage.folder / STATISTICS_TABLE).read_text(encoding="utf-8")
    await acreate_markdown_artifact(key="planning-paths", markdown=table, description=mark.key)
    return stage.folder, mark
