"""The table of keys of `rebuild.toml`: a class for each of its tables, a line for each key.

A line has the key's name, type, default, description, example and limits. Reading, checking, the
variables of the environment, `config show`, the example, the first file of `init` and the documents
are derived from these classes. To add a key, add its line.
"""

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from benchloom.core.kinds import Kind, UnknownMemberError
from benchloom.core.records.planning_path import Droppable
from benchloom.core.set_details import author_fault, value_fault
from benchloom.normalise.withholding import opt_out_fault
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
    """Declare a key of the table; `example` is displayed if the default is empty."""
    examples = None if example is None else [example]
    return Field(default=default, description=description, examples=examples, **limits)


def _member_name(kind: Callable[[], Kind[Any]]) -> AfterValidator:
    """Convert the name of a member to the spelling of its kind."""

    def listed_name(name: str) -> str:
        try:
            kind().find(name)
        except UnknownMemberError as error:
            raise ValueError(str(error)) from None
        return kind().spelt(name)

    return AfterValidator(listed_name)


def _without(fault_of: Callable[[str], str | None]) -> AfterValidator:
    """Return a validator that accepts a text if `fault_of` returns no fault."""

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
    return "an endpoint is an address like http://127.0.0.1:8000/v1"


def _version_fault(text: str) -> str | None:
    from benchloom.release.versions import is_version

    return None if is_version(text) else f"'{text}' is not a version like 1.2.3"


def _redaction_fault(text: str) -> str | None:
    # Documents are redacted after they are written: the text would not be the same in each.
    from benchloom.normalise.redaction.texts import redact_text

    kinds = sorted(set(redact_text(text).kinds))
    return f"contains what releases redact ({', '.join(kinds)}); leave it out" if kinds else None


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
# An empty path would be the whole folder of the file.
Text = Annotated[str, Field(min_length=1)]
# Four months, in seconds: every clock can count them.
Wait = Annotated[float, Field(ge=0, le=10_000_000.0)]
Timeout = Annotated[float, Field(gt=0, le=10_000_000.0)]
PerMinute = Annotated[float, Field(gt=0, le=1e12)]


class Section(BaseModel):
    """A table of the file; unknown keys, inf and nan are refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )


def _with_fields(fields: dict[str, Any]) -> Callable[[type[M]], type[M]]:
    """Return the class with added fields, under the same name."""

    def add(model: type[M]) -> type[M]:
        about: dict[str, Any] = {"__module__": model.__module__, "__doc__": model.__doc__}
        return create_model(model.__name__, __base__=model, **about, **fields)

    return add


def options_of(source: DialogueSource) -> type[Section]:
    """The table of a dialogue source; its keys are named like the options of `convert`."""
    by_name = "; name: AppBench's rules" if "name" in source.modes else ""
    fields: dict[str, Any] = {
        "mode": (
            Literal[source.modes],
            key(source.modes[0], f"flow: references by value and provenance{by_name}."),
        ),
        "drop": (
            tuple[Droppable, ...],
            key((), "Outcomes of steps to leave out.", ["failed"]),
        ),
    }
    if source.has_variants:
        about = "Names of a variant of the schemas, v1 to v5."
        fields["variant"] = (str | None, key(None, about, "v1", pattern=r"^v[1-5]$"))
    about = f"What is made of {source.title}; see `benchloom convert --help`."
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
    """Inputs: files, folders or zip archives, relative to this file, or URLs (s3://, https://)."""

    shortcuts: tuple[Text, ...] = key(
        (), "Shortcut files.", ["shortcuts.zip", "more/", "s3://bucket/shortcuts/"]
    )
    definitions: tuple[Text, ...] = key(
        (),
        "Definitions of APIs: app bundles and the files inside them.",
        ["apps/", "Tools-active.sqlite"],
    )
    captures: Text | None = key(
        None,
        "Folder that crawl and download fill; `captures` in the workspace if absent. A "
        "URL is only read.",
        "captures",
    )


class EngineOptions(Section):
    """Who makes the shards of stages: this machine, or a cluster that shares the workspace."""

    kind: Engine = key(
        "local", "local: processes of this machine; dask: workers of a Dask cluster (an extra)."
    )
    address: Text | None = key(
        None,
        "Scheduler that runs; without one, dask starts `workers` on this machine.",
        "tcp://127.0.0.1:8786",
    )


class ReplyOptions(Section):
    """How a model replies in one step; absent keys are those of [generate]."""

    reply_tokens: int | None = key(
        None,
        "Most tokens of one reply, thoughts of a reasoning model included; each step's own "
        "limit if absent.",
        8000,
        ge=16,
        le=1_000_000,
    )
    reasoning_effort: Effort | None = key(
        None, "How long a reasoning model thinks; not sent if absent.", "low"
    )
    request_fields: RequestFields | None = key(
        None,
        "Further fields of a request that the endpoint understands, a JSON object.",
        '{"top_p": 0.9}',
    )


class TextOptions(ReplyOptions):
    """How a model replies in one step, and how often; absent keys are those of [generate]."""

    candidates: int = key(
        1,
        "Write up to so many texts about a row, until rules and the judge of faithfulness accept "
        "one; the step's model judges.",
        ge=1,
        le=MAX_CANDIDATES,
    )
    repair: bool = key(
        default=False,
        description="Show the writer which values its text lacks, and let it write again once.",
    )


def _step_options(name: str) -> tuple[type[ReplyOptions], ReplyOptions]:
    options = TextOptions if name in repeatable_steps() else ReplyOptions
    return options, options()


@_with_fields({name: _step_options(name) for name in STEPS.names()})
class GenerateOptions(ReplyOptions):
    """Which texts are written, by which writer, with which load on the endpoint, at which cost."""

    steps: tuple[Step, ...] = key(
        (), "Steps to run, in order.", ["query", "category", "instruction"]
    )
    requests: Text | None = key(
        None,
        "Requests that people wrote about shortcuts: JSON lines as `judge query --texts` reads "
        "them, relative to this file.",
        "requests.jsonl",
    )
    personas: Text | None = key(
        None,
        "Users of the conversations of task_dialogue, relative to this file: JSON lines "
        '{"persona": "...", "source": "..."}.',
        "personas.jsonl",
    )
    writer: Literal["auto", "llm", "local", "template"] = key(
        "auto",
        "llm asks an endpoint, local a small model on this machine (an extra); auto is "
        "llm with an address, or a key and max_usd, else local where installed, else template.",
    )
    model: str = key(DEFAULT_MODEL, "Model to ask.", min_length=1)
    model_file: Text | None = key(
        None, "Weights of a local model, a GGUF file relative to this file.", "models/writer.gguf"
    )
    base_url: Endpoint | None = key(
        None, "Any compatible endpoint; OPENAI_BASE_URL if absent.", "http://127.0.0.1:8000/v1"
    )
    max_usd: float | None = key(
        None, "Hard cap in US dollars per step, input and model.", 5.0, ge=0, le=MAX_USD
    )
    free: bool = key(
        default=False,
        description="The endpoint costs nothing: no price is looked up, and no money is counted.",
    )
    prices: Text | None = key(
        None, "Price table of your own, relative to this file.", "prices.yaml"
    )
    batch: bool = key(
        default=False,
        description="Ask the endpoint through its Batch API: slower, and at half the price. A run "
        "that is stopped goes on with the same batches.",
    )
    every_text: bool = key(
        default=False,
        description="Let judges, scores and parameters read the texts that rules dropped, too.",
    )
    concurrency: int = key(DEFAULTS.concurrency, "Requests in flight.", ge=1, le=1024)
    requests_per_minute: PerMinute | None = key(None, "Requests per minute, at most.", 500.0)
    tokens_per_minute: PerMinute | None = key(None, "Tokens per minute, at most.", 200000.0)
    timeout: Timeout = key(DEFAULTS.timeout, "Seconds for one reply.")

    def replies_of(self, step: str) -> ReplyOptions:
        """Return how a model replies in a step: the settings of its table, else these."""
        names = set(ReplyOptions.model_fields)
        own: ReplyOptions = getattr(self, step)
        both = self.model_dump(include=names) | own.model_dump(exclude_none=True)
        return type(own)(**both)


class KindOptions(Section):
    """Tasks of one kind that a release contains."""

    suites: tuple[Suite, ...] = key(
        (),
        "Suites of worlds that have the kind; definitions, phone and sgd read [sources].",
        ["everyday"],
    )
    count: int = key(100, "Tasks of each suite, at most.", ge=1, le=1_000_000)
    seed: int = key(0, "Seed of the draws.")


@_with_fields({name.replace("-", "_"): (KindOptions, KindOptions()) for name in TASK_KINDS.names()})
class TasksOptions(Section):
    """Executable tasks in worlds; each kind has a table, as in `world build --kind`."""

    distractors: int = key(20, "Unneeded tools that each task offers.", ge=0, le=1000)

    def kinds(self) -> Iterator[tuple[str, KindOptions]]:
        """Return the kinds of tasks with suites, by name."""
        for name in TASK_KINDS.names():
            options: KindOptions = getattr(self, name.replace("-", "_"))
            if options.suites:
                yield name, options


class ReviewOptions(Section):
    """Answers of `benchloom review`, which are released and decide which texts are kept."""

    use: bool = key(default=True, description="Take the answers into the release.")
    answers: Text | None = key(
        None,
        "Folder of answers, or one log, where somebody has answered; `reviews` in the "
        "workspace if absent.",
        "reviews",
    )


class CrawlOptions(Section):
    """Crawling. Times in seconds, sizes in bytes; politeness is in `scrapers.settings`."""

    sites: tuple[Site, ...] = key(
        (),
        "Sites that a rebuild crawls first; `benchloom sites` shows their names.",
        ["routinehub", "macstories"],
    )
    contact: Contact | None = key(
        None,
        "URL or mail address that sites can write to; no crawl without it.",
        "https://example.org/crawl",
    )
    opt_out: tuple[OptOut, ...] = key(
        (),
        "Listing addresses, iCloud links and ids of shortcuts and dialogues whose "
        "owners do not want them published.",
        ["https://example.org/listing"],
    )
    include_member_only: bool = key(
        _CRAWL.include_member_only, "Keep listings whose link only members get."
    )
    browser_sites: tuple[Site, ...] = key(
        (), "Sites rendered in the browser although they do not ask for it.", ["sspai"]
    )
    delay: Wait = key(
        _CRAWL.delay, f"Least time between two requests to a host; {LEAST_LIVE_DELAY} at least."
    )
    jitter: Wait = key(_CRAWL.jitter, "Largest part added at random.")
    retries: int = key(
        _CRAWL.retries, "How often a failed request is repeated, at most twice.", ge=0, le=2
    )
    back_off: Wait = key(_CRAWL.back_off, "First wait before a retry.")
    longest_wait: Wait = key(_CRAWL.longest_wait, "A site that wants a longer wait has refused.")
    timeout: Timeout = key(_CRAWL.timeout, "Time for one answer.")
    page_bytes: int = key(_CRAWL.page_bytes, "Largest page.", gt=0, le=2**31)
    scrub_personal_ids: bool = key(
        _CRAWL.scrub_personal_ids, "Remove ids of people before a capture is stored."
    )
    resume_hours: Wait = key(
        _CRAWL.resume_hours, "A killed crawl goes on while it is younger (hours)."
    )
    reddit_client_id: Text | None = key(None, "Reddit's name of your application.", "abc123")
    reddit_username: Text | None = key(None, "Reddit user named in the User-Agent.", "someone")


class ReleaseOptions(Section):
    """Whose set this is: its card, citation and pages contain these values."""

    name: Annotated[str, _detail("name")] | None = key(
        None, "Short name, of a to z, 0 to 9, '.', '_' and '-'.", "my-shortcuts"
    )
    title: Annotated[str, _detail("title")] | None = key(
        None, "Title; the name if absent.", "Shortcuts of our team"
    )
    licence: Annotated[str, _detail("licence")] | None = key(
        None, "SPDX id, or free text; sources keep their own licences.", "CC-BY-4.0"
    )
    authors: tuple[Author, ...] = key(
        (),
        "Names; a mail address is published (in CITATION.cff) if you write 'Name <mail>'.",
        ["Ada Example", "Ben Example <ben@example.org>"],
    )
    homepage: Annotated[str, _detail("homepage")] | None = key(
        None, "http or https address.", "https://example.org/set"
    )
    description: Annotated[str, _detail("description")] | None = key(
        None, "What the set contains, in one line.", "Shortcuts that we use every day."
    )


class PublishOptions(Section):
    """Where a finished release goes."""

    targets: tuple[Text, ...] = key(
        (),
        "Addresses as of `release publish --to`; folders are relative to this file.",
        ["/srv/releases", "s3://bucket/releases", "hf://datasets/owner/name"],
    )


@_with_fields(
    {
        name: (int | None, key(None, f"Rows of {name}, at least.", 1000, ge=0))
        for name in table_names()
    }
)
class Expectations(Section):
    """Rows that a release must contain to be published, and the share that may disappear."""

    drift: float | None = key(
        None,
        "Largest share by which any table may shrink against the release before.",
        0.2,
        ge=0,
        le=1,
    )


class ScheduleOptions(Section):
    """When `benchloom schedule` starts a rebuild."""

    cron: Text | None = key(None, "Minute, hour, day, month, weekday.", "0 4 * * 1")
    timezone: str = key("UTC", "Time zone of cron.", min_length=1)


_DIALOGUE_TABLES = {name: options_of(source) for name, source in DIALOGUE_SOURCES.all().items()}


@_with_fields({name: (table, table()) for name, table in _DIALOGUE_TABLES.items()})
class Table(Section):
    """Every key of `rebuild.toml`."""

    workers: int = key(1, "Worker processes.", ge=1, le=256)
    cross_check: bool = key(
        default=False, description="Read every shortcut with a second reader and compare."
    )
    version: Version | None = key(
        None, "Version of the release; proposed from the difference if absent.", "1.0.0"
    )
    on_failure: Text | None = key(
        None,
        "Shell command that gets JSON with workspace, error and exit_code when a rebuild fails, or "
        "a URL (http, https) that gets it as a POST request.",
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
