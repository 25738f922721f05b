"""Flow rebuild: the whole pipeline from a configuration, resumable at every shard."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from collections.abc import Sequence
from pathlib import Path

from prefect import flow

from benchloom.errors import BenchloomError, RunError, StoppedError
from benchloom.inputs import apart_from
from benchloom.normalise.definitions.app_marks import FILE_NAME as MARKS_OF_APPS
from benchloom.tables import table_parts
from flows.configuration import (
    OLD_CRAWL_FILE,
    Configuration,
    folder_of,
    read_configuration,
    refuse_old_file,
)
from flows.configuration.checking import sound_configuration
from flows.configuration.model import INPUT_KINDS
from flows.convert import convert
from flows.crawl import crawl
from flows.define import define
from flows.download import download
from flows.engine.local_server import has_configured_server
from flows.engine.run_log import tell
from flows.engine.run_names import RunName
from flows.errors import AfterReleaseError, PublishError
from flows.generate import generate
from flows.join import join
from flows.last_rebuild import (
    Inputs,
    begin_rebuild,
    find_rebuild,
    remember_rebuild,
    request_key,
)
from flows.listings import listings
from flows.normalise import normalise
from flows.parse import parse
from flows.plans import plans
from flows.publish import publish
from flows.release import release
from flows.review import review
from flows.run.engines import started
from flows.run.engines.base import Wanted
from parsers.dialogues.sources import DIALOGUE_SOURCES
from prompts.steps import STEPS
from scrapers.captures.layout import STATE_ENDINGS
from scrapers.crawling.shortcut_files import file_folders
from scrapers.mirrors.address import INPUTS, shown
from scrapers.mirrors.inputs import fetched

__all__ = ["flows", "rebuild"]


@flow(name="rebuild", flow_run_name=RunName("rebuild {workspace} from {config}"))
async def rebuild(
    config: Path, workspace: Path, configuration: Configuration | None = None
) -> Path:
    """Crawl, parse, define, normalise, join, convert, generate, review, release, publish.

    Relative inputs start from the folder of `config`. `configuration` stands for what the file
    says, when somebody has read and changed it.

    Returns:
        The folder of the release.

    Raises:
        AfterReleaseError: the release is made, but a site refused or a target did not take it.
    """
    refuse_old_file(workspace)
    request = request_key(config, workspace)
    chosen = configuration or sound_configuration(config)
    chosen.require_sources()
    with (
        started(chosen.engine.kind, _wanted(chosen, folder_of(config), workspace)),
        apart_from(workspace),
    ):
        return await _made(request, chosen, configuration, config, workspace)


async def _made(
    request: bytes,
    chosen: Configuration,
    configuration: Configuration | None,
    config: Path,
    workspace: Path,
) -> Path:
    """The folder of the release, made with what was chosen; `configuration` is what was given."""
    base = folder_of(config)
    faults: list[BenchloomError] = await _fetch(chosen, config, workspace)
    as_told = configuration is None or configuration == read_configuration(config)
    last = find_rebuild(workspace, request) if as_told else None
    if last is not None and last.is_unchanged(workspace):
        folder = last.folder(workspace)
        tell(f"unchanged: release {last.release}, in {folder}")
    else:
        begin_rebuild(workspace, _read(chosen, base, workspace) if as_told else None)
        stages = await _make_stages(chosen, base, workspace)
        generated = await _generate(chosen, base, stages, workspace)
        made = [*stages, *generated]
        if answers := chosen.answers(base, workspace):
            made += await review.fn(answers, made, workspace)
        elif chosen.review.use and chosen.review.answers is not None:
            tell(f"review: nobody has answered in {chosen.answers_place(base, workspace)} yet")
        folder = await release.fn(made, workspace, chosen.version, chosen.workers)
        remember_rebuild(workspace, request, folder)
    if targets := chosen.targets(base):
        try:
            await publish(targets, workspace, folder)
        except PublishError as error:
            faults.append(error)
    if faults:
        raise AfterReleaseError(folder, faults)
    return folder


def _wanted(chosen: Configuration, base: Path, workspace: Path) -> Wanted:
    """What the run wants of its engine."""
    captures = chosen.captures(base, workspace)
    read = [*_inputs(chosen, base, workspace), *([captures] if captures is not None else [])]
    return Wanted(
        workspace=workspace,
        workers=chosen.workers,
        address=chosen.engine.address,
        # What is behind URLs comes into the workspace when the engine stands.
        inputs=tuple(path for path in read if not path.is_relative_to(workspace / INPUTS)),
    )


def _inputs(chosen: Configuration, base: Path, workspace: Path) -> list[Path]:
    """Every input that is named."""
    return [path for kind in INPUT_KINDS for path in chosen.inputs(kind, base, workspace)]


def _read(chosen: Configuration, base: Path, workspace: Path) -> Inputs | None:
    """Everything that a rebuild reads; None where a Prefect server may decide who writes texts."""
    if chosen.generate.steps and chosen.generate.writer == "auto" and has_configured_server():
        return None
    paths = [*_inputs(chosen, base, workspace), chosen.model_file(base), chosen.prices(base)]
    paths += [workspace / name for name in (MARKS_OF_APPS, OLD_CRAWL_FILE)]
    if chosen.review.use:
        paths.append(chosen.answers_place(base, workspace))
    read: list[tuple[str, tuple[str, ...]]] = [(str(path), ()) for path in paths if path]
    if captures := chosen.captures(base, workspace):
        read.append((str(captures), STATE_ENDINGS))
    urls = tuple(chosen.urls())
    # A query may contain what opens a place to everybody; the memory must not contain it.
    outside = bool(chosen.crawl.sites or chosen.publish.targets) or any(
        shown(url) != url for url in urls
    )
    return Inputs(tuple(read), () if outside else urls, outside)


async def _fetch(
    configuration: Configuration, config: Path, workspace: Path
) -> list[BenchloomError]:
    """Copy what is behind URLs, crawl, download; refusals, which keep nothing else undone."""
    fetched(configuration.urls(), workspace)
    if not configuration.crawl.sites:
        return []
    captures = configuration.captures_folder(folder_of(config), workspace)
    refusals: list[BenchloomError] = []
    try:
        await crawl(configuration.crawl.sites, workspace, captures, config)
    except StoppedError as error:
        refusals.append(error)
    try:
        await download(workspace, captures, config, configuration.workers)
    except StoppedError as error:
        refusals.append(error)
    return refusals


async def _make_stages(configuration: Configuration, base: Path, workspace: Path) -> list[Path]:
    """The finished stages that are released, besides what is generated from them."""
    workers = configuration.workers
    finished = []
    if definitions := configuration.inputs("definitions", base, workspace):
        finished.append(await define.fn(definitions, workspace, workers))
    files = configuration.inputs("shortcuts", base, workspace)
    listed = None
    options = configuration.crawl
    if captures := configuration.captures(base, workspace):
        listed = await listings.fn(
            captures, workspace, options.opt_out, options.include_member_only, workers
        )
        files += file_folders(captures)
    if files:
        parsed = await parse.fn(files, workspace, workers, cross_check=configuration.cross_check)
        normalised = await normalise.fn(parsed, workspace, workers, listed, options.opt_out)
        # The join takes the catalogue over, so its folder stands for both.
        if finished:
            normalised = await join.fn(normalised, finished[0], workspace, workers)
        finished = [normalised]
    if listed is not None:
        finished.append(listed)
    converted = [
        await convert.fn(dialogues, workspace, workers, source=name, **configuration.plans_of(name))
        for name in DIALOGUE_SOURCES.names()
        if (dialogues := configuration.inputs(name, base, workspace))
    ]
    if converted:
        finished.append(await plans.fn(converted, workspace, options.opt_out))
    return finished


async def _generate(
    configuration: Configuration, base: Path, finished: Sequence[Path], workspace: Path
) -> list[Path]:
    """The folders of the configured steps, each over the stage that holds what it reads."""
    options = configuration.generate
    made: list[Path] = []
    for step in options.steps:
        source, *beside = _read_by(step, finished, made)
        made.append(
            await generate.fn(
                step,
                source,
                workspace,
                beside=tuple(beside),
                writer=options.writer,
                model=options.model,
                model_file=configuration.model_file(base),
                base_url=options.base_url,
                max_usd=options.max_usd,
                free=options.free,
                prices=configuration.prices(base),
                concurrency=options.concurrency,
                requests_per_minute=options.requests_per_minute,
                tokens_per_minute=options.tokens_per_minute,
                reply_timeout=options.timeout,
                workers=configuration.workers,
            )
        )
    return made


def _read_by(step: str, finished: Sequence[Path], made: Sequence[Path]) -> list[Path]:
    """The stage that holds what a step reads; for a step that reads texts, all it may be about.

    Raises:
        RunError: no source makes what it reads.
    """
    found = STEPS.find(step)
    if "queries" not in found.reads:
        source = next((one for one in finished if table_parts(one, found.reads[0])), None)
        folders = [] if source is None else [source]
    else:
        texts = [one for one in made if table_parts(one, "queries")]
        about = (*found.reads, *found.also_reads)
        rows = [one for one in finished if any(table_parts(one, table) for table in about)]
        folders = [*rows, *texts]
    for table in found.reads:
        if not any(table_parts(one, table) for one in folders):
            raise RunError(f"step '{step}' reads {table}, which no source of this rebuild makes")
    return folders
