"""Reading `rebuild.toml`: every fault of the file is found before anything runs."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchloom.errors import RunError
from flows.configuration.faults import (
    ConfigurationError,
    faults_in_environment,
    faults_in_file,
    misplaced_secrets,
)
from flows.configuration.model import Configuration, ConfigurationFile

DEFAULT_FILE = Path("rebuild.toml")
OLD_CRAWL_FILE = "crawl.toml"


def read_configuration(path: Path | None) -> Configuration:
    """The configuration of a TOML file and the environment; of the environment alone for None.

    Raises:
        ConfigurationError: something unknown, of a wrong type, or a secret; a line per fault.
        RunError: the file cannot be read.
    """
    values = {} if path is None else read_file(path)
    # The file alone is sound: what is wrong now came from the environment.
    try:
        configuration = Configuration(**values)
    except ValidationError as error:
        raise _refusal("environment", faults_in_environment(error)) from None
    if secrets := list(misplaced_secrets(configuration.model_dump())):
        raise _refusal("environment", secrets)
    return configuration


def read_file(path: Path) -> dict[str, Any]:
    """What a configuration file says, checked key by key.

    Raises:
        ConfigurationError, RunError: as `read_configuration`.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise RunError(f"{path}: no such configuration file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: {error}") from error
    if secrets := list(misplaced_secrets(values)):
        raise _refusal(str(path), secrets)
    try:
        # Strict, through JSON: lists may become tuples, but "2" is no number and 1 no text.
        ConfigurationFile.model_validate_json(json.dumps(values, default=_moment), strict=True)
    except ValidationError as error:
        raise _refusal(str(path), faults_in_file(error)) from None
    return values


def _refusal(source: str, faults: Iterable[str]) -> ConfigurationError:
    return ConfigurationError(f"{source}: {fault}" for fault in faults)


def _moment(value: object) -> object:
    """A date or time of TOML, which no key takes: an object that every type refuses."""
    return {"date": str(value)}


def find_file(config: Path | None) -> Path | None:
    """The file to read: the given one, else `rebuild.toml` where it exists."""
    if config is not None:
        return config
    return DEFAULT_FILE if DEFAULT_FILE.is_file() else None


def folder_of(file: Path | None) -> Path:
    """Where relative places of a configuration start; here for the environment alone."""
    return Path.cwd() if file is None else file.resolve().parent


def refuse_old_file(workspace: Path) -> None:
    """Refuse a workspace with a file of crawl settings that is no longer read.

    Raises:
        RunError: there is one; its opt-outs must not be lost without a word.
    """
    old = workspace / OLD_CRAWL_FILE
    if old.exists():
        raise RunError(
            f"{old} is no longer read: move its lines under [crawl] in {DEFAULT_FILE} (or a file "
            "given with --config), then remove it"
        )
