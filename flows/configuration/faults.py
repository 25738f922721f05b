"""Faults of a configuration: a line for each, with its position and the remedy."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.kinds import nearest
from flows.configuration.keys import KeyPath, key_names, message_of
from scrapers.mirrors import LOGIN, holds_secret

ENVIRONMENT = "environment"
_LONGEST_VALUE = 60
_LONGEST_LINE = 400
_LEAST_SECRET = 12  # letters; a shorter text is not a key


@dataclass(frozen=True)
class Fault:
    """A fault of a configuration; its text is `source:line: message`.

    `key` is the path of the key (entries of lists by number), `value` its TOML value, None if it is
    missing or may be a secret. `outside`: the file is right, but the machine or its environment
    lacks something. `nothing_read`: an input is empty.
    """

    message: str
    key: KeyPath = ()
    value: str | None = None
    source: str = ENVIRONMENT
    line: int | None = None
    outside: bool = False
    nothing_read: bool = False

    def __str__(self) -> str:
        location = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{location}: {self.message}"

    @property
    def dotted(self) -> str:
        """The key in its usual form: `sources.shortcuts[1]`."""
        return dotted(self.key)


@dataclass(frozen=True)
class Problem:
    """A value of the right type that is wrong; the line of its key is not yet known.

    `key` is dotted, `entry` the wrong entry of its list. If a key or table in `unless` has a fault,
    the problem may be its consequence and is not reported.
    """

    key: str
    message: str
    entry: object = None
    outside: bool = False
    nothing_read: bool = False
    unless: tuple[str, ...] = ()


class ConfigurationError(RunError):
    """A configuration that cannot be used; `faults` has all faults, and the text a line for each.

    The exit code is 1 if the only faults are empty inputs.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))
        if self.faults and all(fault.nothing_read for fault in self.faults):
            self.exit_code = NothingReadError.exit_code


def dotted(path: KeyPath) -> str:
    """Format a path of keys and list positions: `sources.shortcuts[1]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def validation_faults(
    error: ValidationError, name_of: Callable[[KeyPath], str] = dotted
) -> Iterator[Fault]:
    """Yield pydantic's errors as faults; `name_of` returns the name for each path."""
    for entry in error.errors(include_url=False):
        location, name = entry["loc"], name_of(entry["loc"])
        if entry["type"] == "extra_forbidden":
            *table, key = map(str, location)
            hint = nearest(key, key_names(*table))
            if name_of is not dotted:
                yield Fault(f"{name}: unknown key; {hint}", location)
            else:
                prefix = f"[{'.'.join(table)}] " if table else ""
                yield Fault(f"{prefix}unknown key '{_cut(key)}'; {hint}", location)
            continue
        message, value = message_of(entry["msg"]), repeatable(entry["input"])
        if value is not None and entry["type"] != "value_error":
            message = f"{message}, not {value}"
        yield Fault(f"{name}: {_cut(message, _LONGEST_LINE)}", location, value)


def repeatable(value: object) -> str | None:
    """Return a value as short text for a message, or None if it may contain a secret."""
    if isinstance(value, Mapping):
        return str(value["date"]) if set(value) == {"date"} else "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if not isinstance(value, str):
        return _cut(json.dumps(value, default=str).replace("Infinity", "inf").replace("NaN", "nan"))
    if len(value) >= _LEAST_SECRET:
        # Imported only for a fault, because the import takes half a second.
        from benchloom.normalise.redaction import redact_text

        if LOGIN.match(value) or holds_secret(value) or redact_text(value).text != value:
            return None
    return json.dumps(_cut(value), ensure_ascii=False)


def _cut(text: str, longest: int = _LONGEST_VALUE) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."
