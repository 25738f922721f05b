"""Flow rebuild: the whole pipeline from a configuration, resumable at every shard."""

import flows.prefect_settings  # isort: skip  settings before Prefect
from collections.abc import Sequence
from pathlib import Path

import msgspec
from prefect import flow

from benchloom.errors import RunError
from benchloom.tables import table_parts
from flows.configuration import Configuration
from flows.convert import convert
from flows.define import define
from flows.generate import generate
from flows.join import join
from flows.listings import listings
from flows.normalise import normalise
from flows.parse import parse
from flows.release import release
from flows.run_names import naming
from flows.stages.captured_files import file_folders
from prompts.steps import find_step

__all__ = ["flows", "rebuild"]


@flow(name="rebuild", flow_run_name=naming("rebuild", "workspace"), validate_parameters=False)
async def rebuild(configuration: Configuration, base: Path, workspace: Path) -> Path:
    """Parse, define, normalise, join, convert, generate, release; the folder of the release.

    `base` is the folder that relative inputs start from.
    """
    workers = configuration.workers
    finished = []
    if definitions := configuration.inputs("definitions", base):
        finished.append(await define(definitions, workspace, workers))
    files = configuration.inputs("shortcuts", base)
    listed = None
    if captures := configuration.captures(base):
        listed = await listings(captures, workspace)
        files += file_folders(captures)
    if files:
        parsed = await parse(files, workspace, workers, cross_check=configuration.cross_check)
        normalised = await normalise(parsed, workspace, workers, listed)
        # The join takes the catalogue over, so its folder stands for both.
        finished = [await join(normalised, finished[0], workspace) if finished else normalised]
    if listed is not None:
        finished.append(listed)
    if dialogues := configuration.inputs("sgd", base):
        chosen = msgspec.structs.asdict(configuration.sgd)
        finished.append(await convert(dialogues, workspace, workers, **chosen))
    generated = await _generate(configuration, finished, workspace)
    return await release([*finished, *generated], workspace, configuration.version)


async def _generate(
    configuration: Configuration, finished: Sequence[Path], workspace: Path
) -> list[Path]:
    """The folders of the configured steps, each over the stage that holds what it reads."""
    options = configuration.generate
    made: list[Path] = []
    for step in options.steps:
        reads = find_step(step).reads[0]
        source = next((folder for folder in finished if table_parts(folder, reads)), None)
        if source is None:
            raise RunError(f"step '{step}' reads {reads}, which no source of this rebuild makes")
        made.append(
            await generate(
                step,
                source,
                workspace,
                writer=options.writer,
                model=options.model,
                base_url=options.base_url,
                max_usd=options.max_usd,
            )
        )
    return made
