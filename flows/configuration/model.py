"""The effective configuration of a rebuild, with methods that compute paths from its values."""

import os
from pathlib import Path
from typing import Any, Literal, get_args

from benchloom.core.set_details import SetDetails
from benchloom.release.review import REVIEWS, holds_answers
from flows.configuration.table import CrawlOptions, Section, Table
from parsers.dialogues.sources import DIALOGUE_SOURCES
from scrapers.mirrors import input_path, is_remote, is_url
from scrapers.settings import CrawlSettings

CAPTURES = "captures"
INPUT_KINDS = ("definitions", "shortcuts", *DIALOGUE_SOURCES.names())
"""The keys of `[sources]` that are lists of inputs."""
PathKey = Literal["model_file", "prices", "requests", "personas"]
"""The keys of `[generate]` that name files."""
NO_SOURCES = (
    "the configuration has no input in [sources], no sites in [crawl] and no suites in [tasks]; "
    "add an input, for example with 'benchloom init'"
)
REPLICA = "BENCHLOOM_REPLICA"
"""The variable with `host:port` of a local replica of the sites, for tests and demonstrations."""


class Configuration(Table):
    """The configuration of a rebuild, as `read_configuration` returns it.

    Paths in the configuration are relative to the folder of its file, which methods get as `base`.
    """

    def inputs(self, kind: str, base: Path, workspace: Path) -> list[Path]:
        """Return the paths of one kind of inputs, such as `shortcuts`.

        For an input at a URL, return the path of its copy in the workspace.
        """
        return [_read_at(name, base, workspace) for name in getattr(self.sources, kind)]

    def urls(self) -> list[str]:
        """Return the URLs from which a rebuild must first fetch inputs and captures."""
        addresses = [name for kind in INPUT_KINDS for name in getattr(self.sources, kind)]
        if self.sources.captures is not None:
            addresses.append(self.sources.captures)
        return [name for name in dict.fromkeys(addresses) if is_remote(name)]

    def plans_of(self, source: str) -> dict[str, Any]:
        """Return the options of a dialogue source, such as `sgd`, as parameters of `convert`."""
        options: Section = getattr(self, source)
        return options.model_dump()

    def captures(self, base: Path, workspace: Path) -> Path | None:
        """Return the folder of captures to read, or None if this rebuild reads none."""
        if self.sources.captures is None and not self.crawl.sites:
            return None
        return self.captures_folder(base, workspace)

    def captures_folder(self, base: Path, workspace: Path) -> Path:
        """Return the folder into which `crawl` and `download` write captures."""
        name = self.sources.captures
        return workspace / CAPTURES if name is None else _read_at(name, base, workspace)

    def answers(self, base: Path, workspace: Path) -> Path | None:
        """Return the path of the reviewers' answers for the release, or None if there are none.

        If a configured path does not exist, return it, so that its reader reports the fault.
        """
        path = self.answers_path(base, workspace)
        missing = self.review.answers is not None and not path.exists()
        return path if self.review.use and (missing or holds_answers(path)) else None

    def answers_path(self, base: Path, workspace: Path) -> Path:
        """Return the path where reviewers' answers are expected, whether or not it exists."""
        name = self.review.answers
        return workspace / REVIEWS if name is None else resolved_path(name, base)

    def path_of(self, key: PathKey, base: Path) -> Path | None:
        """Return the path that a key of the table [generate] contains, or None if it is not set."""
        name: str | None = getattr(self.generate, key)
        return None if name is None else resolved_path(name, base)

    def paths(self, base: Path) -> list[Path]:
        """Return the paths of all files that the table [generate] names, such as `prices`."""
        paths = (self.path_of(key, base) for key in get_args(PathKey))
        return [path for path in paths if path is not None]

    def targets(self, base: Path) -> list[str]:
        """Return the addresses to publish to; paths of folders are made absolute."""
        return [
            name if "://" in name else str(resolved_path(name, base))
            for name in self.publish.targets
        ]

    def set_details(self) -> SetDetails:
        """Return the values of the table [release] in the form that a release stores."""
        values = self.release.model_dump(exclude_none=True)
        return SetDetails(**values)

    def has_sources(self) -> bool:
        """Whether the rebuild has inputs, sites or suites of tasks."""
        has_inputs = any(self.sources.model_dump().values()) or self.crawl.sites
        return bool(has_inputs or any(self.tasks.kinds()))


def crawl_settings(options: CrawlOptions) -> CrawlSettings:
    """Return the crawler's settings, from the table [crawl] and from the environment.

    The environment has the address of a replica server, which answers in place of all sites, and
    the secret of a Reddit client.
    """
    return CrawlSettings(
        **options.model_dump(exclude={"sites"}),
        replica=os.environ.get(REPLICA) or None,
        reddit_client_secret=os.environ.get("REDDIT_CLIENT_SECRET") or None,
    )


def resolved_path(name: str, base: Path) -> Path:
    """Return an absolute path for a path that a configuration contains as text."""
    try:
        return base / Path(name).expanduser()
    except RuntimeError:  # `~NAME` of an unknown user is used unchanged
        return base / name


def _read_at(name: str, base: Path, workspace: Path) -> Path:
    """Return the path from which an input is read; a URL is read from its copy in the workspace."""
    return input_path(name, workspace) if is_url(name) else resolved_path(name, base)
