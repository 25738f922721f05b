"""The flow `define`, which turns definition files of apps into one catalogue of APIs."""

from collections.abc import Sequence
from pathlib import Path

from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.stages.definitions import normalise as normalise_definitions
from flows.stages.definitions import parse as parse_definitions
from scrapers.mirrors import fetched


@flow(name="define", flow_run_name=run_name("define {inputs}"))
async def define(
    inputs: Sequence[Path | str], workspace: Path, workers: int = 1, app: str | None = None
) -> Path:
    """Parse definition files and build the catalogue; return the folder of the finished stage.

    `app` is the identifier of the app to which definition files outside app bundles belong.
    """
    stage = parse_definitions.prepare(fetched(inputs, workspace), workspace, app=app)
    parsed = await run_stage_task(stage, workspace, workers)
    catalogue = normalise_definitions.prepare([parsed])
    return (await run_stage_task(catalogue, workspace, 1)).path
