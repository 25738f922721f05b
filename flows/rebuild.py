"""Flow rebuild: the whole pipeline from a configuration, resumable at every shard."""

import flows.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow

from flows.configuration import Configuration
from flows.normalise import normalise
from flows.parse import parse
from flows.release import release

__all__ = ["flows", "rebuild"]


@flow(name="rebuild", validate_parameters=False)
async def rebuild(configuration: Configuration, base: Path, workspace: Path) -> Path:
    """Parse, normalise and release; the folder of the release.

    `base` is the folder that relative inputs start from.
    """
    inputs = configuration.inputs("shortcuts", base)
    parsed = await parse(
        inputs, workspace, configuration.workers, cross_check=configuration.cross_check
    )
    normalised = await normalise(parsed, workspace, configuration.workers)
    return await release([normalised], workspace, configuration.version)
