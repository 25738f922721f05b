"""This module reads `rebuild.toml` and the environment variables that override its keys.

It reports all faults and removes faulty values, so that `flows.configuration.checks` can check the
valid values further. Python's TOML readers do not report the lines of keys, so a pattern finds
lines that begin like a table's header or a key. If a line in a long string looks like a key, the
line number of a fault may be wrong.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
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
    Problem,
    dotted,
    repeatable,
    validation_faults,
)
from flows.configuration.keys import PREFIX, Key, KeyPath, variables
from flows.configuration.model import Configuration
from flows.configuration.secrets import misplaced_secrets

_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*\[+\s*({_NAMES})\s*\]+\s*(?:#.*)?$")
_KEY = re.compile(rf"\s*({_NAMES})\s*=")


class KeyLines:
    """The line numbers of the keys and list entries in a TOML text, counted from 1."""

    def __init__(self, text: str = "") -> None:
        # `splitlines` would also cut at letters that end no line in TOML.
        self._lines = text.removeprefix("\ufeff").split("\n")
        self._of_keys: dict[KeyPath, int] = {}
        table: KeyPath = ()
        for number, line in enumerate(self._lines, 1):
            if header := _HEADER.match(line):
                table = _path(header[1])
                self._of_keys.setdefault(table, number)
            elif key := _KEY.match(line):
                path = (*table, *_path(key[1]))
                for length in range(len(table) + 1, len(path) + 1):
                    self._of_keys.setdefault(path[:length], number)

    def line(self, key_path: KeyPath, entry: object = None) -> int | None:
        """Return the line of a key, or of the list entry `entry` if `key_path` ends with a number.

        If the key is missing, return the line of the table that should contain it, or None if the
        text has no such table.
        """
        above = (key_path[:length] for length in range(len(key_path), 0, -1))
        first = next((self._of_keys[path] for path in above if path in self._of_keys), None)
        if first is None or not key_path or not isinstance(key_path[-1], int):
            return first
        end = min((line for line in self._of_keys.values() if line > first), default=None)
        text = json.dumps(entry, ensure_ascii=False, default=str)
        lines = range(first, end or len(self._lines) + 1)
        return next((n for n in lines if text in self._lines[n - 1].replace("'", '"')), first)


def _path(names: str) -> KeyPath:
    """Return the parts of a dotted name, or nothing if it is not valid TOML."""
    path: list[str] = []
    try:
        values: object = tomllib.loads(f"{names} = 1")
    except ValueError:  # a line of a long text that looks like a key
        return ()
    while isinstance(values, Mapping):
        name, values = next(iter(values.items()))
        path.append(name)
    return tuple(path)


DEFAULT_FILE = Path("rebuild.toml")
MAX_LEVELS = 20
OLD_CRAWL_FILE = "crawl.toml"


@dataclass(frozen=True)
class ValidPart:
    """The valid values of a file and the environment, and the faults of the other values.

    `source` is the path of the file, or `environment` without a file; `text` is its content.
    `values` maps the keys in the file to their values. `variables` maps keys to the environment
    variable that sets the key and its value.
    """

    configuration: Configuration = field(default_factory=Configuration)
    faults: tuple[Fault, ...] = ()
    source: str = ENVIRONMENT
    text: str = ""
    values: Mapping[KeyPath, Any] = field(default_factory=dict)
    variables: Mapping[KeyPath, tuple[str, Any]] = field(default_factory=dict)

    @cached_property
    def _key_lines(self) -> KeyLines:
        return KeyLines(self.text)

    def with_line(self, problem: Problem) -> Fault:
        """Convert a problem to a fault with the line of the key, unless a variable sets the key."""
        key: KeyPath = tuple(problem.key.split("."))
        is_overridden = key in self.variables
        value = self.variables[key][1] if is_overridden else self.values.get(key)
        if isinstance(value, list) and problem.entry in value:
            key, value = (*key, value.index(problem.entry)), problem.entry
        has_name = problem.message.lstrip("[").startswith(problem.key)
        fault = Fault(
            problem.message if has_name else f"{dotted(key)}: {problem.message}",
            key,
            None if value is None or isinstance(value, list) else repeatable(value),
            outside=problem.outside,
            nothing_read=problem.nothing_read,
        )
        return fault if is_overridden else self.in_file(fault)

    def in_file(self, fault: Fault) -> Fault:
        """Return a copy of a fault with the file's path and the line of the fault's key."""
        entries, number = self.values.get(fault.key[:-1]), fault.key[-1]
        entry = entries[number] if isinstance(entries, list) and isinstance(number, int) else None
        line = self._key_lines.line(fault.key, entry)
        return replace(fault, source=self.source, line=line)

    def origin(self, key: Key) -> str:
        """Return the origin of a key's value: `default`, `file` or `environment (VARIABLE)`."""
        if key.path in self.variables:
            return f"environment ({self.variables[key.path][0]})"
        return "file" if key.path in self.values else "default"

    def variable(self, key_path: KeyPath) -> str:
        """Return the name of the variable that sets a key, an entry in a key's list, or a table."""
        names = [
            name for path, (name, _) in self.variables.items() if key_path[: len(path)] == path
        ]
        return names[-1] if names else PREFIX + "__".join(map(str, key_path)).upper()


def read_configuration(path: Path | None) -> Configuration:
    """Read the configuration from a file and the environment; None reads only the environment.

    Raises:
        ConfigurationError: a key is unknown, has a value of the wrong type, or is a secret.
        RunError: the file cannot be read.
    """
    part = read_valid_part(path)
    if part.faults:
        raise ConfigurationError(part.faults)
    return part.configuration


def read_valid_part(path: Path | None, text: str | None = None) -> ValidPart:
    """Read the valid values of a file and the environment, and collect the faults of the others.

    If `text` is set, it is used in place of the file's content.

    Raises:
        RunError: the file cannot be read at all.
    """
    part = ValidPart(variables=_variables())
    if path is not None:
        text = _content(path) if text is None else text
        values = dict(_by_key(_parse(path, text)))
        part = replace(part, source=str(path), text=text, values=values)
    faults = list(misplaced_secrets(part.values))
    secret = {fault.key for fault in faults}
    try:
        # Strict validation of JSON: lists may become tuples, but "2" is no number and 1 is no text.
        content = json.dumps(_tables(part.values), default=_refused_moment)
        Configuration.model_validate_json(content, strict=True)
    except ValidationError as error:
        faults += [fault for fault in validation_faults(error) if fault.key not in secret]
    sound = _without(part.values, faults)
    # The rest of the file is valid, so further faults come from the environment.
    overrides = {key: value for key, (_, value) in part.variables.items()}
    variable_faults = list(misplaced_secrets(overrides))
    overrides = _without(overrides, variable_faults)
    try:
        configuration = Configuration.model_validate(_tables({**sound, **overrides}))
    except ValidationError as error:
        further = list(validation_faults(error, part.variable))
        variable_faults += further
        overrides = _without(overrides, further)
        configuration = Configuration.model_validate(_tables({**sound, **overrides}))
    faults = [*map(part.in_file, faults), *variable_faults]
    return replace(part, configuration=configuration, faults=tuple(faults))


def _variables() -> dict[KeyPath, tuple[str, object]]:
    """Return a mapping from keys to the environment variable that sets the key and its value.

    The variable of a single key overrides the variable of the whole table.
    """
    return {
        key_path: (name, inner)
        for path, (name, value) in sorted(variables().items(), key=lambda entry: len(entry[0]))
        for key_path, inner in _by_key(value, path)
    }


def _by_key(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield each value in nested tables with its key path; an empty table counts as a value."""
    if not isinstance(value, Mapping) or (path and not value):
        yield path, value
        return
    for name, inner in value.items():
        yield from _by_key(inner, (*path, name))


def _tables(values: Mapping[KeyPath, Any]) -> dict[str, Any]:
    """Return nested tables that contain each value under its key path.

    A key is left out if its path leads through a value that is not a table.
    """
    tables: dict[str, Any] = {}
    for path in sorted(values, key=len):
        table: Any = tables
        for name in path[:-1]:
            table = table.setdefault(name, {}) if isinstance(table, dict) else None
        if isinstance(table, dict):
            table[path[-1]] = values[path]
    return tables


def _without(values: Mapping[KeyPath, Any], faults: Iterable[Fault]) -> dict[KeyPath, Any]:
    """Return `values` without faulty values; a list loses only its faulty entries."""
    keys = {fault.key for fault in faults}
    sound = {}
    for path, value in values.items():
        if any(path[: len(key)] == key for key in keys):
            continue
        sound[path] = value
        if isinstance(value, list):
            sound[path] = [entry for i, entry in enumerate(value) if (*path, i) not in keys]
    return sound


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # editors on Windows write a byte order mark
    except FileNotFoundError as error:
        message = f"{path}: no such configuration file; 'benchloom init' writes one"
        raise RunError(message) from error
    except ValueError as error:  # not UTF-8
        fault = " ".join(str(error).split())
        raise RunError(f"{path}: {fault}; save it as UTF-8") from error


def _parse(path: Path, content: str) -> dict[str, Any]:
    too_deep = f"{path}: more than {MAX_LEVELS} levels of nesting, which no key needs"
    try:
        values = tomllib.loads(content)
    except RecursionError as error:
        raise RunError(too_deep) from error
    except ValueError as error:  # not TOML, or a number with thousands of digits
        fault = " ".join(str(error).split())
        is_path = "hex value" in fault or "Unescaped" in fault
        remedy = "write / in paths, or quote them with '" if is_path else "correct it there"
        raise RunError(f"{path}: {fault}; {remedy}") from error
    level: list[object] = [values]
    for _ in range(MAX_LEVELS):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise RunError(too_deep)
    return values


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refused_moment(value: object) -> object:
    """Replace a TOML date or time, which JSON lacks, by a table that no key accepts."""
    return {"date": str(value)}


def find_file(config: Path | None) -> Path | None:
    """Return `config` if it is set; otherwise return `rebuild.toml` if that file exists."""
    if config is not None:
        return config
    return DEFAULT_FILE if DEFAULT_FILE.is_file() else None


def folder_of(file: Path | None) -> Path:
    """Return the folder to which paths are relative: that of the file, or the working folder."""
    return Path.cwd() if file is None else file.resolve().parent


def refuse_old_file(workspace: Path) -> None:
    """Raise if the workspace contains `crawl.toml`, the outdated file of crawl settings.

    Raises:
        RunError: the file exists. It is no longer read, but its opt-outs must not be lost silently.
    """
    file = workspace / OLD_CRAWL_FILE
    if file.exists():
        raise RunError(
            f"{file} is no longer read: move its lines under [crawl] in {DEFAULT_FILE} (or a file "
            "given with --config), then remove it"
        )
