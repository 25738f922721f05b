"""Reading `rebuild.toml`: every fault of the file is found before anything runs."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchloom.core.errors import RunError
from flows.configuration.faults import (
    ENVIRONMENT,
    ConfigurationError,
    Fault,
    faults_in_environment,
    faults_in_file,
    misplaced_secrets,
)
from flows.configuration.model import (
    Configuration,
    ConfigurationFile,
    Environment,
    FileAlone,
    ShortNames,
)
from flows.configuration.places import Places

DEFAULT_FILE = Path("rebuild.toml")
MOST_LEVELS = 20
OLD_CRAWL_FILE = "crawl.toml"


@dataclass(frozen=True)
class SoundPart:
    """What a file and the environment say where they are sound, and what is wrong with the rest.

    `text` and `values` are the file as it stands, `overriding` what the environment puts over it.
    """

    configuration: Configuration
    faults: tuple[Fault, ...]
    source: str = ENVIRONMENT
    text: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    overriding: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def places(self) -> Places:
        """Where keys stand in the file."""
        return Places(self.text)

    def located(self, fault: Fault, entry: object = None) -> Fault:
        """A fault of a sound value with its place; `entry` is the one of a list it is about."""
        key = fault.key
        written = at(self.values, key)
        if isinstance(written, list) and entry in written:
            key = (*key, written.index(entry))
        if at(self.overriding, fault.key) is not None:
            return replace(fault, source=ENVIRONMENT)
        return replace(fault, key=key, source=self.source, line=self.places.line(key))


def read_configuration(path: Path | None) -> Configuration:
    """The configuration of a TOML file and the environment; of the environment alone for None.

    Raises:
        ConfigurationError: something unknown, of a wrong type, or a secret; a line per fault.
        RunError: the file cannot be read.
    """
    part = read_sound_part(path)
    if part.faults:
        raise ConfigurationError(part.faults)
    return part.configuration


def read_sound_part(path: Path | None, text: str | None = None) -> SoundPart:
    """What a file and the environment say where they are sound, and a line per fault.

    `text` stands for what is in the file.

    Raises:
        RunError: the file cannot be read at all.
    """
    if path is None:
        return _with_environment(SoundPart(Configuration.model_construct(), ()), {})
    content = _content(path) if text is None else text
    written = _parsed(path, content)
    values, faults = sound_part(merged(written, {}))
    part = SoundPart(Configuration.model_construct(), (), str(path), content, written)
    located_faults = (
        replace(fault, source=part.source, line=part.places.line(fault.key)) for fault in faults
    )
    return _with_environment(replace(part, faults=tuple(located_faults)), values)


def _with_environment(part: SoundPart, values: dict[str, Any]) -> SoundPart:
    """The part with the environment over the sound values of its file."""
    over = merged(ShortNames(Configuration)(), Environment(Configuration)())
    part = replace(part, overriding=over)
    # The rest of the file is sound: what is wrong now came from the environment.
    sound = merged({}, over)
    faults = misplaced_secrets(over)
    _remove(sound, [fault.key for fault in faults])
    try:
        FileAlone(**merged(values, sound))
    except ValidationError as error:
        faults += faults_in_environment(error)
        _remove(sound, [entry["loc"] for entry in error.errors(include_url=False)])
    if not faults:
        return replace(part, configuration=Configuration(**values))
    try:
        effective_configuration: Configuration = FileAlone(**merged(values, sound))
    except ValidationError:  # a variable for a whole table, which one for a key has hidden
        effective_configuration = FileAlone(**values)
    return replace(part, configuration=effective_configuration, faults=(*part.faults, *faults))


def read_file(path: Path) -> dict[str, Any]:
    """What a configuration file says, checked key by key.

    Raises:
        ConfigurationError, RunError: as `read_configuration`.
    """
    content = _content(path)
    values, faults = sound_part(_parsed(path, content))
    if faults:
        places = Places(content)
        raise ConfigurationError(
            replace(fault, source=str(path), line=places.line(fault.key)) for fault in faults
        )
    return values


def sound_part(values: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The values without those that are faulty, and the faults."""
    faults = misplaced_secrets(values)
    # Entries of lists stay where they are until all faults are found: they are told by number.
    hidden = [fault.key for fault in faults]
    try:
        # Strict, through JSON: lists may become tuples, but "2" is no number and 1 no text.
        ConfigurationFile.model_validate_json(json.dumps(values, default=_moment), strict=True)
    except ValidationError as error:
        secret = set(hidden)
        fault_entries = zip(faults_in_file(error), error.errors(include_url=False), strict=True)
        reported_faults = [
            (fault, entry["loc"]) for fault, entry in fault_entries if entry["loc"] not in secret
        ]
        faults += [fault for fault, _ in reported_faults]
        hidden += [location for _, location in reported_faults]
    _remove(values, hidden)
    return values, faults


def merged(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of both, those of `upper` over the others; lists are copies."""
    merged_values = dict(lower)
    for key, value in [*lower.items(), *upper.items()]:
        if isinstance(value, Mapping):
            below = merged_values.get(key)
            merged_values[key] = merged(below if isinstance(below, Mapping) else {}, value)
        else:
            merged_values[key] = list(value) if isinstance(value, list) else value
    return merged_values


def at(values: object, path: Sequence[str | int]) -> object:
    """What stands at a path of tables and lists, None for nothing."""
    for part in path:
        if isinstance(values, Mapping) and isinstance(part, str):
            values = values.get(part)
        elif isinstance(values, list | tuple) and isinstance(part, int) and part < len(values):
            values = values[part]
        else:
            return None
    return values


def _remove(values: dict[str, Any], places: Sequence[Sequence[str | int]]) -> None:
    """Take keys and entries of lists out, those with the highest numbers first."""
    for *above, last in sorted(places, key=_number, reverse=True):
        container = at(values, above)
        if isinstance(container, dict):
            container.pop(last, None)
        elif isinstance(container, list) and isinstance(last, int) and last < len(container):
            del container[last]


def _number(location: Sequence[str | int]) -> int:
    return location[-1] if location and isinstance(location[-1], int) else -1


def _content(path: Path) -> str:
    """The text of a file.

    Raises:
        RunError: it is missing, or no text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        message = f"{path}: no such configuration file; 'benchloom init' writes one"
        raise RunError(message) from error
    except ValueError as error:  # not UTF-8
        raise RunError(f"{path}: {' '.join(str(error).split())}") from error


def _parsed(path: Path, content: str) -> dict[str, Any]:
    """The text of a TOML file as values.

    Raises:
        RunError: it is not TOML, or is nested deeper than any configuration.
    """
    too_deep = f"{path}: nested deeper than {MOST_LEVELS} levels, which no key needs"
    try:
        values = tomllib.loads(content)
    except RecursionError as error:
        raise RunError(too_deep) from error
    except ValueError as error:  # not TOML, a number of thousands of digits
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
