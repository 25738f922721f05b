"""The flow `convert`, which turns annotated dialogues into planning paths."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.workspace import STATISTICS_TABLE
from flows.engine.api import flow
from flows.engine.artifacts import show_markdown
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.stages.dialogues import convert as convert_dialogues
from flows.stages.dialogues.options import ConversionOptions
from scrapers.mirrors import fetched


@flow(name="convert", flow_run_name=run_name("convert {source} {inputs}"))
async def convert(
    inputs: Sequence[Path | str],
    workspace: Path,
    workers: int = 1,
    *,
    source: str = "sgd",
    mode: str = "flow",
    drop: Sequence[str] = (),
    variant: str | None = None,
) -> Path:
    """Convert the dialogues of one source; return the folder of the finished stage.

    The flow publishes statistics of the plans as an artifact in Prefect.

    Raises:
        RunError: there is no `source`, `mode` or outcome in `drop` of this name.
    """
    try:
        options = msgspec.convert(
            {"mode": mode, "drop": tuple(drop), "variant": variant}, ConversionOptions
        )
    except msgspec.ValidationError as error:
        raise RunError(f"convert: {error}") from error
    stage = convert_dialogues.prepare(source, fetched(inputs, workspace), workspace, options)
    finished = await run_stage_task(stage, workspace, workers)
    table = (finished.path / STATISTICS_TABLE).read_text(encoding="utf-8")
    await show_markdown("planning-paths", table, f"Statistics of the plans in `{finished.path}`")
    return finished.path
