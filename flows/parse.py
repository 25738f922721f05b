"""The flow `parse`, which reads shortcut files into tables."""

from collections.abc import Sequence
from pathlib import Path

from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.stages.shortcuts import parse as parse_shortcuts
from scrapers.mirrors import fetched
from scrapers.sites import holds_shortcut


@flow(name="parse", flow_run_name=run_name("parse {inputs}"))
async def parse(
    inputs: Sequence[Path | str], workspace: Path, workers: int = 1, cross_check: bool = False
) -> Path:
    """Parse shortcut files; return the folder of the finished stage.

    `inputs` may be files, folders, archives, URLs of these, or a folder of captures. With
    `cross_check`, a second reader reads binary files, too, and the results are compared.
    """
    stage = parse_shortcuts.prepare(
        fetched(inputs, workspace),
        workspace,
        with_cross_check=cross_check,
        accepts=holds_shortcut,
    )
    return (await run_stage_task(stage, workspace, workers)).path
