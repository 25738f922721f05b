"""Flow rebuild: the whole pipeline from a configuration, resumable at every shard."""

import flows.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

import msgspec
from prefect import flow

from flows.configuration import Configuration
from flows.convert import convert
from flows.normalise import normalise
from flows.parse import parse
from flows.release import release

__all__ = ["flows", "rebuild"]


@flow(name="rebuild", validate_parameters=False)
async def rebuild(configuration: Configuration, base: Path, workspace: Path) -> Path:
    """Parse, convert, normalise and release; the folder of the release.

    `base` is the folder that relative inputs start from.
    """
    workers = configuration.workers
    finished = []
    if shortcuts := configuration.inputs("shortcuts", base):
        parsed = await parse(shortcuts, workspace, workers, cross_check=configuration.cross_check)
        finished.append(await normalise(parsed, workspace, workers))
    if dialogues := configuration.inputs("sgd", base):
        chosen = msgspec.structs.asdict(configuration.sgd)
        finished.append(await convert(dialogues, workspace, workers, **chosen))
    return await release(finished, workspace, configuration.version)
