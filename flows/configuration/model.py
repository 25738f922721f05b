"""The configuration as a whole, and the environment that overrides its file."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from benchloom.core.errors import RunError
from benchloom.review.answers import REVIEWS, holds_answers
from flows.configuration.dialogues import with_dialogue_tables
from flows.configuration.members import right_version
from flows.configuration.section import Section
from flows.configuration.sections import (
    CrawlOptions,
    EngineOptions,
    GenerateOptions,
    PublishOptions,
    ReviewOptions,
    ScheduleOptions,
    Sources,
)
from parsers.dialogues.sources import DIALOGUE_SOURCES
from scrapers.mirrors.address import is_remote, is_url
from scrapers.mirrors.inputs import place_of

PREFIX = "BENCHLOOM_"
SHORT_NAMES = {
    "BENCHLOOM_CONTACT": ("crawl", "contact"),
    "BENCHLOOM_DELAY": ("crawl", "delay"),
    "BENCHLOOM_MODEL": ("generate", "model"),
    "REDDIT_CLIENT_ID": ("crawl", "reddit_client_id"),
    "REDDIT_USERNAME": ("crawl", "reddit_username"),
}
"""Variables with names of their own; the long name of a key wins over them."""
CAPTURES = "captures"
INPUT_KINDS = ("definitions", "shortcuts", *DIALOGUE_SOURCES.names())
"""The keys of `[sources]` that are lists of inputs."""
NO_SOURCES = "[sources] names no input, and [crawl] no sites"
Version = Annotated[str, AfterValidator(right_version)]


@with_dialogue_tables
class ConfigurationFile(Section):
    """What may stand in `rebuild.toml`."""

    workers: int = Field(default=1, description="Worker processes.", ge=1, le=256)
    cross_check: bool = Field(
        default=False, description="Read every shortcut with a second reader and compare."
    )
    version: Version | None = Field(
        default=None,
        description="Version of the release; proposed from the difference if absent.",
        examples=["1.0.0"],
    )
    sources: Sources = Sources()
    engine: EngineOptions = EngineOptions()
    generate: GenerateOptions = GenerateOptions()
    review: ReviewOptions = ReviewOptions()
    crawl: CrawlOptions = CrawlOptions()
    publish: PublishOptions = PublishOptions()
    schedule: ScheduleOptions = ScheduleOptions()


class Environment(EnvSettingsSource):
    """BENCHLOOM_WORKERS, BENCHLOOM_GENERATE__MODEL; lists as JSON or separated by commas."""

    def decode_complex_value(self, field_name: str, field: FieldInfo | None, value: Any) -> Any:  # noqa: ARG002
        """A list or a whole table; what cannot be read is left for the model to refuse."""
        text = str(value).strip()
        if not text.startswith(("[", "{")):
            return [part.strip() for part in text.split(",") if part.strip()]
        try:
            return json.loads(text)
        except ValueError:
            return text


class ShortNames(PydanticBaseSettingsSource):
    """The variables of `SHORT_NAMES`; an empty one counts as absent."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """Nothing for a table as a whole: the values are collected in one go."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values by table and key."""
        values: dict[str, Any] = {}
        for variable, (section, key) in SHORT_NAMES.items():
            if os.environ.get(variable):
                values.setdefault(section, {})[key] = os.environ[variable]
        return values


class Configuration(ConfigurationFile, BaseSettings):
    """A rebuild: what its file says, with the environment over it.

    Made by `read_configuration`. Relative places start from the folder of the file, `base`.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment, its short names, then the file: the first one that speaks wins."""
        return Environment(settings_cls), ShortNames(settings_cls), init_settings

    def inputs(self, kind: str, base: Path, workspace: Path) -> list[Path]:
        """The inputs of one kind as paths; those behind URLs are there when they were fetched."""
        return [_read_at(name, base, workspace) for name in getattr(self.sources, kind)]

    def urls(self) -> list[str]:
        """The inputs and captures that have to be fetched before anything is read."""
        named = [name for kind in INPUT_KINDS for name in getattr(self.sources, kind)]
        if self.sources.captures is not None:
            named.append(self.sources.captures)
        return [name for name in dict.fromkeys(named) if is_remote(name)]

    def plans_of(self, source: str) -> dict[str, Any]:
        """What is made of the dialogues of a source, as the flow `convert` takes it."""
        options: Section = getattr(self, source)
        return options.model_dump()

    def captures(self, base: Path, workspace: Path) -> Path | None:
        """The folder of captures to read; None when nothing is captured for this rebuild."""
        if self.sources.captures is None and not self.crawl.sites:
            return None
        return self.captures_folder(base, workspace)

    def captures_folder(self, base: Path, workspace: Path) -> Path:
        """The folder that crawl and download fill."""
        name = self.sources.captures
        return workspace / CAPTURES if name is None else _read_at(name, base, workspace)

    def answers(self, base: Path, workspace: Path) -> Path | None:
        """The answers of people that are released; None where nobody has answered yet.

        A place that is named has to be there, and may be an empty folder.
        """
        answers_path = self.answers_place(base, workspace)
        missing = self.review.answers is not None and not answers_path.exists()
        return (
            answers_path if self.review.use and (missing or holds_answers(answers_path)) else None
        )

    def answers_place(self, base: Path, workspace: Path) -> Path:
        """Where answers stand, if there are any."""
        name = self.review.answers
        return workspace / REVIEWS if name is None else place(name, base)

    def prices(self, base: Path) -> Path | None:
        """The price table."""
        name = self.generate.prices
        return None if name is None else place(name, base)

    def model_file(self, base: Path) -> Path | None:
        """The weights of a local model."""
        name = self.generate.model_file
        return None if name is None else place(name, base)

    def targets(self, base: Path) -> list[str]:
        """The addresses to publish to."""
        return [name if "://" in name else str(place(name, base)) for name in self.publish.targets]

    def require_sources(self) -> None:
        """Refuse to rebuild out of nothing.

        Raises:
            RunError: no input is named.
        """
        if not (any(self.sources.model_dump().values()) or self.crawl.sites):
            raise RunError(NO_SOURCES)


class FileAlone(Configuration):
    """What a file says, whatever the environment says."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The file."""
        return (init_settings,)


def place(name: str, base: Path) -> Path:
    """A path as a configuration names it."""
    try:
        return base / Path(name).expanduser()
    except RuntimeError:  # `~` of nobody: then it is a name like any other
        return base / name


def _read_at(name: str, base: Path, workspace: Path) -> Path:
    """A path or a URL of an input as a place of this machine."""
    return place_of(name, workspace) if is_url(name) else place(name, base)


def variable_of(path: Sequence[str]) -> str:
    """The variable that sets a key: its short name where that one is set, else the long one."""
    long = PREFIX + "__".join(path).upper()
    short = next((name for name, key in SHORT_NAMES.items() if key == tuple(path)), None)
    if short and os.environ.get(short) and not os.environ.get(long):
        return short
    return long
