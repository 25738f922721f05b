"""This module defines the keys of `rebuild.toml`: each table is a class, and each key a field.

A field has the key's type, default, description, example and limits. All other code about keys
reads these classes, such as the checks, the environment variables, `config show`, the example and
the documents. To add a key, add a field here.
"""

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from benchloom.core.kinds import Kind, UnknownMemberError
from benchloom.core.records.planning_path import Droppable
from benchloom.core.set_details import author_fault, value_fault
from benchloom.normalise.opt_outs import opt_out_fault
from benchloom.storage.tables.definition import table_names
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task_kinds import TASK_KINDS
from parsers.dialogues.sources import DIALOGUE_SOURCES, DialogueSource
from prompts.endpoint.limits import DEFAULT_MODEL, DEFAULTS
from prompts.exchange import MAX_CANDIDATES, Effort, request_fields_fault
from prompts.ledger.prices import MAX_USD
from prompts.results.attempts import repeatable_steps
from prompts.steps import STEPS
from scrapers.settings import LEAST_LIVE_DELAY, CrawlSettings, contact_fault
from scrapers.sites import SITES

M = TypeVar("M", bound=BaseModel)

_CRAWL = CrawlSettings()


def key(default: object, description: str, example: object = None, **limits: Any) -> Any:
    """Return a field for a key; without a default, the example file contains `example`."""
    examples = None if example is None else [example]
    return Field(default=default, description=description, examples=examples, **limits)


def _member_name(kind: Callable[[], Kind[Any]]) -> AfterValidator:
    """Return a validator that accepts only the names in a list of members, such as sites.

    The validator returns the usual spelling of the name.
    """

    def listed_name(name: str) -> str:
        try:
            kind().find(name)
        except UnknownMemberError as error:
            raise ValueError(str(error)) from None
        return kind().spelt(name)

    return AfterValidator(listed_name)


def _without(fault_of: Callable[[str], str | None]) -> AfterValidator:
    """Return a validator that refuses a text if `fault_of` returns a message about it."""

    def checked(text: str) -> str:
        if fault := fault_of(text):
            raise ValueError(fault)
        return text

    return AfterValidator(checked)


def _engines() -> Kind[Any]:
    from flows.run.engines import ENGINES  # takes a second

    return ENGINES


def _endpoint_fault(text: str) -> str | None:
    address = urlsplit(text)  # raises a ValueError for some texts
    if address.scheme in {"http", "https"} and address.hostname and not re.search(r"\s", text):
        return None
    return "expected the URL of an endpoint, such as http://127.0.0.1:8000/v1"


def _version_fault(text: str) -> str | None:
    from benchloom.release.versions import is_version

    return None if is_version(text) else f"'{text}' is not a version such as 1.2.3"


def _redaction_fault(text: str) -> str | None:
    # A release redacts each document separately, so the text could differ between documents.
    from benchloom.normalise.redaction.texts import redact_text

    kinds = sorted(set(redact_text(text).kinds))
    return f"contains text that a release redacts ({', '.join(kinds)})" if kinds else None


def _detail(name: str) -> AfterValidator:
    return _without(lambda text: value_fault(name, text) or _redaction_fault(text))


def _author_fault(text: str) -> str | None:
    return author_fault(text) or _redaction_fault(text.partition("<")[0])


Author = Annotated[str, _without(_author_fault)]
Site = Annotated[str, _member_name(lambda: SITES)]
Step = Annotated[str, _member_name(lambda: STEPS)]
Suite = Annotated[str, _member_name(lambda: SUITES)]
Engine = Annotated[str, _member_name(_engines)]
Contact = Annotated[str, _without(contact_fault)]
OptOut = Annotated[str, _without(opt_out_fault)]
Endpoint = Annotated[str, _without(_endpoint_fault)]
RequestFields = Annotated[str, _without(request_fields_fault)]
Version = Annotated[str, _without(_version_fault)]
# An empty path would mean the whole folder of the configuration file.
Text = Annotated[str, Field(min_length=1)]
# Almost four months, in seconds: a wait that every timer of the system accepts.
Wait = Annotated[float, Field(ge=0, le=10_000_000.0)]
Timeout = Annotated[float, Field(gt=0, le=10_000_000.0)]
PerMinute = Annotated[float, Field(gt=0, le=1e12)]


class Section(BaseModel):
    """The base class of tables in `rebuild.toml`; it refuses unknown keys, inf and nan."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )


def _with_fields(fields: dict[str, Any]) -> Callable[[type[M]], type[M]]:
    """Return a class decorator that adds fields and keeps the name of the class."""

    def add(model: type[M]) -> type[M]:
        about: dict[str, Any] = {"__module__": model.__module__, "__doc__": model.__doc__}
        return create_model(model.__name__, __base__=model, **about, **fields)

    return add


def options_of(source: DialogueSource) -> type[Section]:
    """Return the class for a dialogue source's table; its keys are options of `convert`."""
    by_name = "; name uses AppBench's rules" if "name" in source.modes else ""
    fields: dict[str, Any] = {
        "mode": (
            Literal[source.modes],
            key(source.modes[0], f"flow traces each value to its source{by_name}."),
        ),
        "drop": (
            tuple[Droppable, ...],
            key((), "Leave out steps with these outcomes.", ["failed"]),
        ),
    }
    if source.has_variants:
        about = "SGD-X variant whose service and slot names are used, v1 to v5."
        fields["variant"] = (str | None, key(None, about, "v1", pattern=r"^v[1-5]$"))
    about = f"Conversion of {source.title}; see `benchloom convert --help`."
    return create_model(f"{source.name}_options", __base__=Section, __doc__=about, **fields)


@_with_fields(
    {
        name: (
            tuple[Text, ...],
            key((), f"{source.title}: a folder with train, dev and test.", [f"{name}/"]),
        )
        for name, source in DIALOGUE_SOURCES.all().items()
    }
)
class Sources(Section):
    """The inputs of a rebuild, which are files, folders, zip archives or URLs (s3://, https://)."""

    shortcuts: tuple[Text, ...] = key(
        (), "Shortcut files.", ["shortcuts.zip", "more/", "s3://bucket/shortcuts/"]
    )
    definitions: tuple[Text, ...] = key(
        (),
        "API definitions: app bundles, or definition files.",
        ["apps/", "Tools-active.sqlite"],
    )
    captures: Text | None = key(
        None,
        "Folder to which crawl and download write captures; if absent, `captures` in the "
        "workspace. A URL is only read.",
        "captures",
    )


class EngineOptions(Section):
    """The engine that runs stages, on this machine or on a cluster that shares the workspace."""

    kind: Engine = key(
        "local",
        "local uses processes of this machine, dask the workers of a Dask cluster (extra cluster).",
    )
    address: Text | None = key(
        None,
        "Address of a running scheduler; if absent, dask starts `workers` on this machine.",
        "tcp://127.0.0.1:8786",
    )


class ReplyOptions(Section):
    """Options for the replies of one LLM step; a missing key has the value of [generate]."""

    reply_tokens: int | None = key(
        None,
        "Maximum tokens of one reply, reasoning included; if absent, the limit of the step.",
        8000,
        ge=16,
        le=1_000_000,
    )
    reasoning_effort: Effort | None = key(
        None, "How long a reasoning model thinks; if absent, the model decides.", "low"
    )
    request_fields: RequestFields | None = key(
        None,
        "Further fields of each request to the endpoint, as a JSON object.",
        '{"top_p": 0.9}',
    )


class TextOptions(ReplyOptions):
    """Options for the replies of a step that writes texts; a missing key has [generate]'s value."""

    candidates: int = key(
        1,
        "Write up to this many texts about a row, until one passes the rules and the judge of "
        "faithfulness; the step's model is the judge.",
        ge=1,
        le=MAX_CANDIDATES,
    )
    repair: bool = key(
        default=False,
        description="If a text lacks values, list them for the writer and let it write again once.",
    )


def _step_options(name: str) -> tuple[type[ReplyOptions], ReplyOptions]:
    options = TextOptions if name in repeatable_steps() else ReplyOptions
    return options, options()


@_with_fields({name: _step_options(name) for name in STEPS.names()})
class GenerateOptions(ReplyOptions):
    """Options for generated texts, such as the steps, the model and the maximum cost."""

    steps: tuple[Step, ...] = key(
        (), "Steps to run, in order.", ["query", "category", "instruction"]
    )
    requests: Text | None = key(
        None,
        "File of requests that people wrote about shortcuts, with JSON lines as in `judge query "
        "--texts`; the path is relative to this file.",
        "requests.jsonl",
    )
    personas: Text | None = key(
        None,
        'File of simulated users for task_dialogue, with JSON lines {"persona": "...", "source": '
        '"..."}; the path is relative to this file.',
        "personas.jsonl",
    )
    writer: Literal["auto", "llm", "local", "template"] = key(
        "auto",
        "llm uses an endpoint, local a small model on this machine (extra local). auto means llm "
        "if base_url is set, or a key and max_usd; otherwise local if installed, or template.",
    )
    model: str = key(DEFAULT_MODEL, "Model of the endpoint.", min_length=1)
    model_file: Text | None = key(
        None,
        "Weights of a local model (GGUF); the path is relative to this file.",
        "models/writer.gguf",
    )
    base_url: Endpoint | None = key(
        None,
        "URL of an OpenAI-compatible endpoint; if absent, OPENAI_BASE_URL.",
        "http://127.0.0.1:8000/v1",
    )
    max_usd: float | None = key(
        None,
        "Maximum cost in US dollars, for each step on each input with each model.",
        5.0,
        ge=0,
        le=MAX_USD,
    )
    free: bool = key(
        default=False,
        description="The endpoint costs nothing: no price is looked up, and no money is counted.",
    )
    prices: Text | None = key(
        None, "File with prices of models, relative to this file.", "prices.yaml"
    )
    batch: bool = key(
        default=False,
        description="Use the Batch API of the endpoint, which is slower and costs half. "
        "An interrupted run continues with the same batches.",
    )
    every_text: bool = key(
        default=False,
        description="Also judge and score the texts that rules dropped.",
    )
    concurrency: int = key(
        DEFAULTS.concurrency, "Maximum number of requests in flight.", ge=1, le=1024
    )
    requests_per_minute: PerMinute | None = key(None, "Maximum requests per minute.", 500.0)
    tokens_per_minute: PerMinute | None = key(None, "Maximum tokens per minute.", 200000.0)
    timeout: Timeout = key(DEFAULTS.timeout, "Maximum seconds for one reply.")

    def replies_of(self, step: str) -> ReplyOptions:
        """Return the reply options of a step; [generate] sets those that the step's table lacks."""
        names = set(ReplyOptions.model_fields)
        step_options: ReplyOptions = getattr(self, step)
        merged = self.model_dump(include=names) | step_options.model_dump(exclude_none=True)
        return type(step_options)(**merged)


class KindOptions(Section):
    """Options for tasks of one kind in a release."""

    suites: tuple[Suite, ...] = key(
        (),
        "Suites for which tasks of this kind are made; definitions, phone and sgd read [sources].",
        ["everyday"],
    )
    count: int = key(100, "Maximum number of tasks of each suite.", ge=1, le=1_000_000)
    seed: int = key(0, "Seed for random tasks.")


@_with_fields({name.replace("-", "_"): (KindOptions, KindOptions()) for name in TASK_KINDS.names()})
class TasksOptions(Section):
    """Executable tasks in worlds; each kind of task has a table (see `world build --kind`)."""

    distractors: int = key(
        20, "Number of distractors (tools that it does not need) in each task.", ge=0, le=1000
    )

    def kinds(self) -> Iterator[tuple[str, KindOptions]]:
        """Yield the name and options of each kind of task that has suites."""
        for name in TASK_KINDS.names():
            options: KindOptions = getattr(self, name.replace("-", "_"))
            if options.suites:
                yield name, options


class ReviewOptions(Section):
    """Answers of `benchloom review`, which are released and decide which texts are kept."""

    use: bool = key(default=True, description="Use the answers in the release.")
    answers: Text | None = key(
        None,
        "Folder of answers, or one file; if absent, `reviews` in the workspace.",
        "reviews",
    )


class CrawlOptions(Section):
    """Options of crawls, with times in seconds and sizes in bytes."""

    sites: tuple[Site, ...] = key(
        (),
        "Sites that a rebuild crawls first; `benchloom sites` shows their names.",
        ["routinehub", "macstories"],
    )
    contact: Contact | None = key(
        None,
        "URL or mail address at which sites can reach you; required for a crawl.",
        "https://example.org/crawl",
    )
    opt_out: tuple[OptOut, ...] = key(
        (),
        "URLs of listings, iCloud links, and ids of shortcuts and dialogues that must not be "
        "published.",
        ["https://example.org/listing"],
    )
    include_member_only: bool = key(
        _CRAWL.include_member_only, "Keep listings whose link is only for members."
    )
    browser_sites: tuple[Site, ...] = key(
        (), "Further sites whose pages are rendered in the browser.", ["sspai"]
    )
    delay: Wait = key(
        _CRAWL.delay, f"Minimum time between two requests to a host; at least {LEAST_LIVE_DELAY}."
    )
    jitter: Wait = key(_CRAWL.jitter, "Maximum random share that is added to the delay.")
    retries: int = key(
        _CRAWL.retries, "Number of retries of a failed request; at most 2.", ge=0, le=2
    )
    back_off: Wait = key(_CRAWL.back_off, "Time before the first retry.")
    longest_wait: Wait = key(
        _CRAWL.longest_wait,
        "Maximum wait that a site may require; a longer wait counts as a refusal.",
    )
    timeout: Timeout = key(_CRAWL.timeout, "Maximum time for one response.")
    page_bytes: int = key(_CRAWL.page_bytes, "Largest page.", gt=0, le=2**31)
    scrub_personal_ids: bool = key(
        _CRAWL.scrub_personal_ids, "Remove ids of people before a capture is stored."
    )
    resume_hours: Wait = key(
        _CRAWL.resume_hours, "Maximum age in hours of an interrupted crawl that is continued."
    )
    reddit_client_id: Text | None = key(None, "Client id of your Reddit application.", "abc123")
    reddit_username: Text | None = key(None, "Reddit user named in the User-Agent.", "someone")


class ReleaseOptions(Section):
    """Facts about the dataset for its card, citation and pages, such as its name and licence."""

    name: Annotated[str, _detail("name")] | None = key(
        None, "Short name, of a to z, 0 to 9, '.', '_' and '-'.", "my-shortcuts"
    )
    title: Annotated[str, _detail("title")] | None = key(
        None, "Title; if absent, the name.", "Shortcuts of our team"
    )
    licence: Annotated[str, _detail("licence")] | None = key(
        None, "SPDX id, or free text; sources keep their own licences.", "CC-BY-4.0"
    )
    authors: tuple[Author, ...] = key(
        (),
        "Names of authors; write 'Name <mail>' to publish a mail address, too.",
        ["Ada Example", "Ben Example <ben@example.org>"],
    )
    homepage: Annotated[str, _detail("homepage")] | None = key(
        None, "Home page, an http or https address.", "https://example.org/set"
    )
    description: Annotated[str, _detail("description")] | None = key(
        None, "Content of the dataset in one line.", "Shortcuts that we use every day."
    )


class PublishOptions(Section):
    """Targets to which a finished release is published."""

    targets: tuple[Text, ...] = key(
        (),
        "Targets as in `release publish --to`; folders are relative to this file.",
        ["/srv/releases", "s3://bucket/releases", "hf://datasets/owner/name"],
    )


@_with_fields(
    {
        name: (int | None, key(None, f"Minimum number of rows of {name}.", 1000, ge=0))
        for name in table_names()
    }
)
class Expectations(Section):
    """Conditions that a release must meet before it is published."""

    drift: float | None = key(
        None,
        "Maximum share of rows that a table may lose compared with the previous release.",
        0.2,
        ge=0,
        le=1,
    )


class ScheduleOptions(Section):
    """The times at which `benchloom schedule` starts a rebuild."""

    cron: Text | None = key(
        None, "Cron expression: minute, hour, day, month and weekday.", "0 4 * * 1"
    )
    timezone: str = key("UTC", "Time zone of the cron expression.", min_length=1)


_DIALOGUE_TABLES = {name: options_of(source) for name, source in DIALOGUE_SOURCES.all().items()}


@_with_fields({name: (table, table()) for name, table in _DIALOGUE_TABLES.items()})
class Table(Section):
    """The whole file `rebuild.toml`, with a field for each table and each key outside tables."""

    workers: int = key(1, "Worker processes.", ge=1, le=256)
    cross_check: bool = key(
        default=False, description="Read every shortcut with a second reader and compare."
    )
    version: Version | None = key(
        None, "Version of the release; if absent, computed from the changes.", "1.0.0"
    )
    on_failure: Text | None = key(
        None,
        "Shell command, or URL (http, https), that gets JSON with workspace, error and exit_code "
        "when a rebuild fails. A URL gets a POST request.",
        "mail -s 'rebuild failed' someone@example.org",
    )
    sources: Sources = Sources()
    engine: EngineOptions = EngineOptions()
    generate: GenerateOptions = GenerateOptions()
    tasks: TasksOptions = TasksOptions()
    review: ReviewOptions = ReviewOptions()
    crawl: CrawlOptions = CrawlOptions()
    expect: Expectations = Expectations()
    release: ReleaseOptions = ReleaseOptions()
    publish: PublishOptions = PublishOptions()
    schedule: ScheduleOptions = ScheduleOptions()
