"""Reading `rebuild.toml`: every fault of the file is found before anything runs."""

import json
import tomllib
from collections.abc import Iterable, Sequence
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
from flows.configuration.model import Configuration, ConfigurationFile, FileAlone

DEFAULT_FILE = Path("rebuild.toml")
MOST_LEVELS = 20
OLD_CRAWL_FILE = "crawl.toml"


def read_configuration(path: Path | None) -> Configuration:
    """The configuration of a TOML file and the environment; of the environment alone for None.

    Raises:
        ConfigurationError: something unknown, of a wrong type, or a secret; a line per fault.
        RunError: the file cannot be read.
    """
    configuration, faults = read_sound_part(path)
    if faults:
        raise ConfigurationError(faults)
    return configuration


def read_sound_part(path: Path | None) -> tuple[Configuration, tuple[str, ...]]:
    """What a file and the environment say where they are sound, and a line per fault.

    Raises:
        RunError: the file cannot be read at all.
    """
    values: dict[str, Any] = {}
    faults: list[str] = []
    if path is not None:
        values, found = sound_part(_parsed(path))
        faults += [f"{path}: {fault}" for fault in found]
    # The rest of the file is sound: what is wrong now came from the environment.
    try:
        configuration = Configuration(**values)
    except ValidationError as error:
        faults += [f"environment: {fault}" for fault in faults_in_environment(error)]
        return FileAlone(**values), tuple(faults)
    secrets = misplaced_secrets(configuration.model_dump())
    return configuration, (*faults, *(f"environment: {line}" for _, line in secrets))


def read_file(path: Path) -> dict[str, Any]:
    """What a configuration file says, checked key by key.

    Raises:
        ConfigurationError, RunError: as `read_configuration`.
    """
    values, faults = sound_part(_parsed(path))
    if faults:
        raise ConfigurationError(f"{path}: {fault}" for fault in faults)
    return values


def sound_part(values: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The values without those that are faulty, and a line per fault."""
    faults = []
    for place, line in misplaced_secrets(values):
        faults.append(line)
        _remove(values, place)
    try:
        # Strict, through JSON: lists may become tuples, but "2" is no number and 1 no text.
        ConfigurationFile.model_validate_json(json.dumps(values, default=_moment), strict=True)
    except ValidationError as error:
        faults += faults_in_file(error)
        for entry in error.errors(include_url=False):
            _remove(values, entry["loc"])
    return values, faults


def _remove(values: dict[str, Any], place: Sequence[str | int]) -> None:
    """Take a key out, with all of a list of which an entry is faulty."""
    *tables, key = [part for part in place if isinstance(part, str)]
    for table in tables:
        found = values.get(table)
        if not isinstance(found, dict):
            values.pop(table, None)
            return
        values = found
    values.pop(key, None)


def _parsed(path: Path) -> dict[str, Any]:
    """A TOML file as it stands.

    Raises:
        RunError: it is missing, is not TOML, or is nested deeper than any configuration.
    """
    too_deep = f"{path}: nested deeper than {MOST_LEVELS} levels, which no key needs"
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise RunError(f"{path}: no such configuration file") from error
    except RecursionError as error:
        raise RunError(too_deep) from error
    except ValueError as error:  # not TOML, not UTF-8, a number of thousands of digits
        raise RunError(f"{path}: {' '.join(str(error).split())}") from error
    level: list[object] = [values]
    for _ in range(MOST_LEVELS):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise RunError(too_deep)
    return values


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


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
