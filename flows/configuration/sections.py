"""The tables of `rebuild.toml`, typed; every key has its description here and nowhere else."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from flows.configuration.dialogues import with_dialogue_inputs
from flows.configuration.members import (
    known_engine,
    known_site,
    known_step,
    right_contact,
    right_endpoint,
    right_opt_out,
)
from flows.configuration.section import Section
from prompts.endpoint.limits import DEFAULT_MODEL, DEFAULTS
from prompts.ledger.prices import MOST_USD
from scrapers.settings import LEAST_LIVE_DELAY, CrawlSettings

_CRAWL = CrawlSettings()

SiteName = Annotated[str, AfterValidator(known_site)]
EngineName = Annotated[str, AfterValidator(known_engine)]
StepName = Annotated[str, AfterValidator(known_step)]
Contact = Annotated[str, AfterValidator(right_contact)]
OptOut = Annotated[str, AfterValidator(right_opt_out)]
Text = Annotated[str, Field(min_length=1)]
"""A text that says something: an empty path would be the whole folder of the file."""
Endpoint = Annotated[str, AfterValidator(right_endpoint)]
_LONGEST = 10_000_000.0
"""Seconds, four months: more than anybody waits, and few enough for every clock."""
_MOST_PER_MINUTE = 1e12


@with_dialogue_inputs
class Sources(Section):
    """Inputs: files, folders or zip archives, relative to this file, or URLs (s3://, https://)."""

    shortcuts: tuple[Text, ...] = Field(
        default=(),
        description="Shortcut files.",
        examples=[["shortcuts.zip", "more/", "s3://bucket/shortcuts/"]],
    )
    definitions: tuple[Text, ...] = Field(
        default=(),
        description="Definitions of APIs: app bundles and the files inside them.",
        examples=[["apps/", "Tools-active.sqlite"]],
    )
    captures: Text | None = Field(
        default=None,
        description="Folder that crawl and download fill; `captures` in the workspace if absent. A "
        "URL is only read.",
        examples=["captures"],
    )


class EngineOptions(Section):
    """Who makes the shards of stages: this machine, or a cluster that shares the workspace."""

    kind: EngineName = Field(
        default="local",
        description="local: processes of this machine; dask: workers of a Dask cluster (an extra).",
    )
    address: Text | None = Field(
        default=None,
        description="Scheduler that runs; without one, dask starts `workers` on this machine.",
        examples=["tcp://127.0.0.1:8786"],
    )


class GenerateOptions(Section):
    """What is written about the rows, by whom, how hard an endpoint is used, what it may cost."""

    steps: tuple[StepName, ...] = Field(
        default=(),
        description="Steps to run, in order.",
        examples=[["query", "category", "instruction"]],
    )
    writer: Literal["auto", "llm", "local", "template"] = Field(
        default="auto",
        description="llm asks an endpoint, local a small model on this machine (an extra); auto is "
        "llm with an address, or a key and max_usd, else local where installed, else template.",
    )
    model: str = Field(default=DEFAULT_MODEL, description="Model to ask.", min_length=1)
    model_file: Text | None = Field(
        default=None,
        description="Weights of a local model, a GGUF file relative to this file.",
        examples=["models/writer.gguf"],
    )
    base_url: Endpoint | None = Field(
        default=None,
        description="Any compatible endpoint; OPENAI_BASE_URL if absent.",
        examples=["http://127.0.0.1:8000/v1"],
    )
    max_usd: float | None = Field(
        default=None,
        description="Hard cap in US dollars per step, input and model.",
        ge=0,
        le=MOST_USD,
        examples=[5.0],
    )
    free: bool = Field(
        default=False,
        description="The endpoint costs nothing: no price is looked up, and no money is counted.",
    )
    prices: Text | None = Field(
        default=None,
        description="Price table of your own, relative to this file.",
        examples=["prices.yaml"],
    )
    concurrency: int = Field(
        default=DEFAULTS.concurrency, description="Requests in flight.", ge=1, le=1024
    )
    requests_per_minute: float | None = Field(
        default=None,
        description="Requests per minute, at most.",
        gt=0,
        le=_MOST_PER_MINUTE,
        examples=[500.0],
    )
    tokens_per_minute: float | None = Field(
        default=None,
        description="Tokens per minute, at most.",
        gt=0,
        le=_MOST_PER_MINUTE,
        examples=[200000.0],
    )
    timeout: float = Field(
        default=DEFAULTS.timeout, description="Seconds for one reply.", gt=0, le=_LONGEST
    )


class ReviewOptions(Section):
    """What people said in `benchloom review`, which the release tells and keeps texts by."""

    use: bool = Field(default=True, description="Take the answers into the release.")
    answers: Text | None = Field(
        default=None,
        description="Folder of answers, or one log, where somebody has answered; `reviews` in the "
        "workspace if absent.",
        examples=["reviews"],
    )


class CrawlOptions(Section):
    """Crawling. Times in seconds, sizes in bytes; politeness is in `scrapers.settings`."""

    sites: tuple[SiteName, ...] = Field(
        default=(),
        description="Sites that a rebuild crawls first; `benchloom sites` shows their names.",
        examples=[["routinehub", "macstories"]],
    )
    contact: Contact | None = Field(
        default=None,
        description="URL or mail address that sites can write to; no crawl without it.",
        examples=["https://example.org/crawl"],
    )
    opt_out: tuple[OptOut, ...] = Field(
        default=(),
        description="Listing addresses, iCloud links and ids of shortcuts and dialogues whose "
        "owners do not want them published.",
        examples=[["https://example.org/listing"]],
    )
    include_member_only: bool = Field(
        default=_CRAWL.include_member_only, description="Keep listings whose link only members get."
    )
    browser_sites: tuple[SiteName, ...] = Field(
        default=(),
        description="Sites rendered in the browser although they do not ask for it.",
        examples=[["sspai"]],
    )
    delay: float = Field(
        default=_CRAWL.delay,
        description=f"Least time between two requests to a host; {LEAST_LIVE_DELAY} at least.",
        ge=0,
        le=_LONGEST,
    )
    jitter: float = Field(
        default=_CRAWL.jitter, description="Largest part added at random.", ge=0, le=_LONGEST
    )
    retries: int = Field(
        default=_CRAWL.retries,
        description="How often a failed request is repeated, at most twice.",
        ge=0,
        le=2,
    )
    back_off: float = Field(
        default=_CRAWL.back_off, description="First wait before a retry.", ge=0, le=_LONGEST
    )
    longest_wait: float = Field(
        default=_CRAWL.longest_wait,
        description="A site that wants a longer wait has refused.",
        ge=0,
        le=_LONGEST,
    )
    timeout: float = Field(
        default=_CRAWL.timeout, description="Time for one answer.", gt=0, le=_LONGEST
    )
    page_bytes: int = Field(default=_CRAWL.page_bytes, description="Largest page.", gt=0, le=2**31)
    scrub_personal_ids: bool = Field(
        default=_CRAWL.scrub_personal_ids,
        description="Remove ids of people before a capture is stored.",
    )
    resume_hours: float = Field(
        default=_CRAWL.resume_hours,
        description="A killed crawl goes on while it is younger (hours).",
        ge=0,
        le=_LONGEST,
    )
    reddit_client_id: Text | None = Field(
        default=None, description="Reddit's name of your application.", examples=["abc123"]
    )
    reddit_username: Text | None = Field(
        default=None, description="Reddit user named in the User-Agent.", examples=["someone"]
    )


class PublishOptions(Section):
    """Where a finished release goes."""

    targets: tuple[Text, ...] = Field(
        default=(),
        description="Addresses as of `release publish --to`; folders are relative to this file.",
        examples=[["/srv/releases", "s3://bucket/releases", "hf://datasets/owner/name"]],
    )


class ScheduleOptions(Section):
    """When `benchloom schedule` starts a rebuild."""

    cron: Text | None = Field(
        default=None, description="Minute, hour, day, month, weekday.", examples=["0 4 * * 1"]
    )
    timezone: str = Field(default="UTC", description="Time zone of cron.", min_length=1)
