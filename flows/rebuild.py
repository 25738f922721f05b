"""Flow rebuild: the whole pipeline from a configuration, resumable at every shard."""

import flows.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

import msgspec
from prefect import flow

from flows.configuration import Configuration
from flows.convert import convert
from flows.define import define
from flows.join import join
from flows.normalise import normalise
from flows.parse import parse
from flows.release import release

__all__ = ["flows", "rebuild"]


@flow(name="rebuild", validate_parameters=False)
async def rebuild(configuration: Configuration, base: Path, workspace: Path) -> Path:
    """Parse, define, convert, normalise, join and release; the folder of the release.

    `base` is the folder that relative inputs start from.
    """
    workers = configuration.workers
    finished = []
    if definitions := configuration.inputs("definitions", base):
        finished.append(await define(definitions, workspace, workers))
    if shortcuts := configuration.inputs("shortcuts", base):
        parsed = await parse(shortcuts, workspace, workers, cross_check=configuration.cross_check)
        normalised = await normalise(parsed, workspace, workers)
        # The join takes the catalogue over, so its folder stands for both.
        finished = [await join(normalised, finished[0], workspace) if finished else normalised]
    if dialogues := configuration.inputs("sgd", base):
        chosen = msgspec.structs.asdict(configuration.sgd)
        finished.append(await convert(dialogues, workspace, workers, **chosen))
    return await release(finished, workspace, configuration.version)
