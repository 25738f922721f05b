"""The flow `rebuild`, which runs the whole pipeline; after a kill it continues at any shard."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchloom.core.errors import BenchloomError, GateError, RunError, StoppedError
from benchloom.normalise.definitions.app_table import FILE_NAME as APPS_FILE
from benchloom.release import list_releases, read_manifest
from benchloom.storage.inputs import exclude_folders
from benchloom.storage.memory.last_rebuild import (
    Inputs,
    begin_rebuild,
    find_rebuild,
    remember_rebuild,
    request_digest,
)
from benchloom.storage.tables import table_parts
from benchloom.worlds.suites import SUITES
from flows.configuration import (
    OLD_CRAWL_FILE,
    Configuration,
    folder_of,
    read_configuration,
    refuse_old_file,
)
from flows.configuration.checks import valid_configuration
from flows.configuration.model import INPUT_KINDS
from flows.engine.api import flow
from flows.engine.expectations import broken_expectations, nothing_read
from flows.engine.run_log import log_line, run_name
from flows.engine.run_record import recorded_run
from flows.engine.server.local import has_configured_server
from flows.errors import AfterReleaseError, PublishError
from flows.run.engines import EngineRequest, use_engine
from parsers.dialogues.sources import DIALOGUE_SOURCES
from prompts.steps import STEPS
from scrapers.mirrors import INPUTS, fetched, without_secrets
from scrapers.sites import file_folders


@flow(name="rebuild", flow_run_name=run_name("rebuild {workspace} from {config}"))
async def rebuild(
    config: Path, workspace: Path, configuration: Configuration | None = None
) -> Path:
    """Build and publish the release that `config` describes, from the crawl on; return its folder.

    Relative paths of inputs start at the folder of `config`. If `configuration` is set, it is used
    in place of the file's content.

    Raises:
        AfterReleaseError: the release is built, but a site refused the crawl, the release does not
            meet [expect], or publishing failed.
    """
    with recorded_run(workspace, config) as record:
        refuse_old_file(workspace)
        request = request_digest(config, workspace)
        chosen = configuration or valid_configuration(config)
        before = list_releases(workspace / "releases")
        with (
            use_engine(chosen.engine.kind, _engine_request(chosen, folder_of(config), workspace)),
            exclude_folders(workspace),
        ):
            record.release = await _build(request, chosen, configuration, config, workspace)
            record.unchanged = record.release.name in before
        return record.release


async def _build(
    request: bytes,
    chosen: Configuration,
    configuration: Configuration | None,
    config: Path,
    workspace: Path,
) -> Path:
    """Build and publish the release of the configuration `chosen`; return its folder.

    `configuration` is the argument of the flow `rebuild`, which may be None.
    """
    pipeline = _Pipeline(chosen, config, workspace)
    faults = await pipeline.fetch()
    is_known = configuration is None or configuration == read_configuration(config)
    last = find_rebuild(workspace, request) if is_known else None
    broken: tuple[str, ...] = ()
    if last is not None and last.is_unchanged(workspace):
        folder = last.folder(workspace)
        log_line(f"unchanged: release {last.release}, in {folder}")
    else:
        read = _read(chosen, folder_of(config), workspace) if is_known else None
        # The inputs are digested before they are read, so an input that changes later is noticed.
        begin_rebuild(workspace, read)
        folder = await pipeline.release()
        broken = broken_expectations(chosen.expect, folder)
        if not faults and (fault := nothing_read(folder)):
            broken = (fault, *broken)
        if not broken:
            manifest = read_manifest(folder)
            facts = (manifest.content_digest, manifest.tables())
            remember_rebuild(workspace, request, folder, *facts)
    if broken:
        faults.append(GateError(f"not published: {'; '.join(broken)}"))
    else:
        faults += await pipeline.publish(folder)
    if faults:
        raise AfterReleaseError(folder, faults)
    return folder


class _Pipeline:
    """The stages of a rebuild, in methods that return the folders of finished stages.

    A method imports a flow only if there is input for the flow, so a rebuild loads only the code
    that it uses.
    """

    def __init__(self, configuration: Configuration, config: Path, workspace: Path) -> None:
        self._configuration = configuration
        self._config = config
        self._base = folder_of(config)
        self._workspace = workspace
        self._workers = configuration.workers

    async def release(self) -> Path:
        """Run all stages in order; return the folder of the release."""
        from flows.release import release

        catalogue = await self._definitions()
        listed = await self._listings()
        shortcuts = await self._shortcuts(listed, catalogue)
        plans = await self._plans()
        # Joined shortcuts contain the catalogue.
        rows = [*(shortcuts or catalogue), *listed, *plans]
        rows += await self._tasks()
        texts = await self._texts(rows)
        reviews = await self._reviews([*rows, *texts])
        stages = [*rows, *texts, *reviews]
        return await release.fn(
            stages,
            self._workspace,
            self._configuration.version,
            self._workers,
            self._configuration.set_details(),
        )

    async def fetch(self) -> list[BenchloomError]:
        """Fetch inputs at URLs, crawl sites and download shortcuts; return the refusals of sites.

        After a refusal, the rebuild continues with the data that it already has.
        """
        fetched(self._configuration.urls(), self._workspace)
        sites = self._configuration.crawl.sites
        captures = self._configuration.captures_folder(self._base, self._workspace)
        refusals: list[BenchloomError] = []
        if sites:
            from flows.crawl import crawl
            from flows.download import download

            with _collected(StoppedError, refusals):
                await crawl(sites, self._workspace, captures, self._config)
            with _collected(StoppedError, refusals):
                await download(self._workspace, captures, self._config, self._workers)
        return refusals

    async def publish(self, folder: Path) -> list[BenchloomError]:
        """Publish a release to the configured targets; return the errors of targets that failed."""
        faults: list[BenchloomError] = []
        if targets := self._configuration.targets(self._base):
            from flows.publish import publish

            with _collected(PublishError, faults):
                await publish(targets, self._workspace, folder)
        return faults

    def _inputs(self, kind: str) -> list[Path]:
        return self._configuration.inputs(kind, self._base, self._workspace)

    async def _definitions(self) -> list[Path]:
        files = self._inputs("definitions")
        if not files:
            return []
        from flows.define import define

        return [await define.fn(files, self._workspace, self._workers)]

    async def _listings(self) -> list[Path]:
        captures = self._configuration.captures(self._base, self._workspace)
        if captures is None:
            return []
        from flows.listings import listings

        options = self._configuration.crawl
        choice = (options.opt_out, options.include_member_only)
        return [await listings.fn(captures, self._workspace, *choice, self._workers)]

    async def _shortcuts(self, listed: Sequence[Path], catalogue: Sequence[Path]) -> list[Path]:
        files = self._inputs("shortcuts")
        if captures := self._configuration.captures(self._base, self._workspace):
            files += file_folders(captures)
        if not files:
            return []
        from flows.execute import execute
        from flows.join import join
        from flows.normalise import normalise
        from flows.parse import parse

        workspace, workers = self._workspace, self._workers
        cross_check = self._configuration.cross_check
        parsed = await parse.fn(files, workspace, workers, cross_check=cross_check)
        from_captures = next(iter(listed), None)
        opt_out = self._configuration.crawl.opt_out
        shortcuts = await normalise.fn(parsed, workspace, workers, from_captures, opt_out)
        for definitions in catalogue:
            shortcuts = await join.fn(shortcuts, definitions, workspace, workers)
        return [shortcuts, await execute.fn(shortcuts, workspace, workers)]

    async def _plans(self) -> list[Path]:
        dialogues = {name: self._inputs(name) for name in DIALOGUE_SOURCES.names()}
        if not any(dialogues.values()):
            return []
        from flows.convert import convert
        from flows.plans import plans

        converted = [
            await convert.fn(
                files,
                self._workspace,
                self._workers,
                source=name,
                **self._configuration.plans_of(name),
            )
            for name, files in dialogues.items()
            if files
        ]
        opt_out = self._configuration.crawl.opt_out
        return [await plans.fn(converted, self._workspace, opt_out)]

    async def _texts(self, rows: Sequence[Path]) -> list[Path]:
        """Run the configured LLM steps in order, and return the folders of their stages.

        Each step reads the stages that contain its input; `rows` are the stages without texts.
        """
        texts: list[Path] = []
        if requests := self._configuration.path_of("requests", self._base):
            from flows.judge import judge

            (source,) = _read_by("query", rows, ())
            texts.append(await judge.fn(source, requests, self._workspace, self._workers))
        for step in self._configuration.generate.steps:
            texts.append(await self._generate(step, *_read_by(step, rows, texts)))
        return texts

    async def _generate(self, step: str, source: Path, *beside: Path) -> Path:
        from flows.generate import generate

        options = self._configuration.generate
        return await generate.fn(
            step,
            source,
            self._workspace,
            beside=beside,
            writer=options.writer,
            model=options.model,
            model_file=self._configuration.path_of("model_file", self._base),
            base_url=options.base_url,
            max_usd=options.max_usd,
            free=options.free,
            prices=self._configuration.path_of("prices", self._base),
            concurrency=options.concurrency,
            requests_per_minute=options.requests_per_minute,
            tokens_per_minute=options.tokens_per_minute,
            reply_timeout=options.timeout,
            batch=options.batch,
            every_text=options.every_text,
            personas=self._configuration.path_of("personas", self._base),
            **options.replies_of(step).model_dump(),
            workers=self._workers,
        )

    async def _tasks(self) -> list[Path]:
        """Make the configured tasks; a suite that needs files reads those listed in [sources]."""
        if not any(options.suites for _, options in self._configuration.tasks.kinds()):
            return []
        from flows.tasks import tasks

        return [
            await tasks.fn(
                suite,
                self._workspace,
                self._workers,
                inputs=self._inputs(source) if (source := SUITES.find(suite).source) else (),
                kind=kind,
                count=options.count,
                seed=options.seed,
                distractors=self._configuration.tasks.distractors,
            )
            for kind, options in self._configuration.tasks.kinds()
            for suite in options.suites
        ]

    async def _reviews(self, stages: list[Path]) -> list[Path]:
        configuration = self._configuration
        if answers := configuration.answers(self._base, self._workspace):
            from flows.review import review

            return await review.fn(answers, stages, self._workspace)
        if configuration.review.use and configuration.review.answers is not None:
            path = configuration.answers_path(self._base, self._workspace)
            log_line(f"review: no answers in {path} yet")
        return []


@contextmanager
def _collected(kind: type[BenchloomError], faults: list[BenchloomError]) -> Iterator[None]:
    """Catch an error of the type `kind` that the block raises, and add it to `faults`."""
    try:
        yield
    except kind as error:
        faults.append(error)


def _engine_request(chosen: Configuration, base: Path, workspace: Path) -> EngineRequest:
    """Return the workers, inputs and address that the engine of this run must support."""
    captures = chosen.captures(base, workspace)
    read = [*_inputs(chosen, base, workspace), *([captures] if captures is not None else [])]
    return EngineRequest(
        workspace=workspace,
        workers=chosen.workers,
        address=chosen.engine.address,
        # Inputs behind URLs are copied to the workspace after the engine has started.
        inputs=tuple(path for path in read if not path.is_relative_to(workspace / INPUTS)),
    )


def _inputs(chosen: Configuration, base: Path, workspace: Path) -> list[Path]:
    return [path for kind in INPUT_KINDS for path in chosen.inputs(kind, base, workspace)]


def _read(chosen: Configuration, base: Path, workspace: Path) -> Inputs | None:
    """Return all inputs of a rebuild, to notice whether any changes.

    Return None if the choice of the text writer may depend on secrets in a Prefect server.
    """
    if chosen.generate.steps and chosen.generate.writer == "auto" and has_configured_server():
        return None
    paths = [*_inputs(chosen, base, workspace), *chosen.paths(base)]
    paths += [workspace / name for name in (APPS_FILE, OLD_CRAWL_FILE)]
    if chosen.review.use:
        paths.append(chosen.answers_path(base, workspace))
    read: list[tuple[str, tuple[str, ...]]] = [(str(path), ()) for path in paths]
    if captures := chosen.captures(base, workspace):
        from scrapers.captures.layout import STATE_ENDINGS

        read.append((str(captures), STATE_ENDINGS))
    urls = tuple(chosen.urls())
    # The query of a URL may contain a secret, which must not be stored in the memory.
    outside = bool(chosen.crawl.sites or chosen.publish.targets) or any(
        without_secrets(url) != url for url in urls
    )
    return Inputs(tuple(read), () if outside else urls, outside)


def _read_by(step: str, rows: Sequence[Path], texts: Sequence[Path]) -> list[Path]:
    """Return the folders of the stages that an LLM step reads, from stages of rows and of texts.

    Raises:
        RunError: no source contains the step's input.
    """
    member = STEPS.find(step)
    if "queries" not in member.reads:
        folders = [folder for folder in rows if table_parts(folder, member.reads[0])]
        # Every suite has a stage of tasks; other tables are in the first stage as a whole.
        folders = folders if member.reads[0] == "tasks" else folders[:1]
    else:
        about = (*member.reads, *member.also_reads)
        folders = [row for row in rows if any(table_parts(row, table) for table in about)]
        folders += [folder for folder in texts if table_parts(folder, "queries")]
    for table in member.reads:
        if not any(table_parts(folder, table) for folder in folders):
            raise RunError(
                f"step '{step}' reads {table}, but this rebuild has no source for it; "
                f"add a source or remove the step"
            )
    return folders
