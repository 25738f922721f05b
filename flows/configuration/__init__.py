"""This package reads and checks `rebuild.toml`, the configuration of a rebuild."""

from flows.configuration.faults import ConfigurationError
from flows.configuration.file import (
    OLD_CRAWL_FILE,
    find_file,
    folder_of,
    read_configuration,
    refuse_old_file,
)
from flows.configuration.model import Configuration, crawl_settings
from flows.configuration.table import CrawlOptions, PublishOptions

__all__ = [
    "OLD_CRAWL_FILE",
    "Configuration",
    "ConfigurationError",
    "CrawlOptions",
    "PublishOptions",
    "crawl_settings",
    "find_file",
    "folder_of",
    "read_configuration",
    "refuse_old_file",
]
