"""Types for faults of a configuration, and functions that put them into words."""

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
    """A fault of a configuration, which `str` formats as `source:line: message`.

    `source` is the path of the file, or `environment` for a fault of an environment variable. `key`
    is the path of the key, such as `("sources", "shortcuts", 1)`. `value` is the value of the key
    as TOML, or None if it is missing or may be a secret. `outside` is true if the file is right but
    the machine or its environment lacks something. `nothing_read` is true if an input is empty.
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
        """The path of the key as text, such as `sources.shortcuts[1]`."""
        return dotted(self.key)


@dataclass(frozen=True)
class Problem:
    """A faulty value that has the right type, before the line of its key has been found.

    `key` is the name of the key, such as `crawl.sites`; `entry` is the faulty entry if the value is
    a list. `unless` names keys and tables: if one of them has a fault, the problem is not reported,
    because it may be a consequence. `outside` and `nothing_read` are as in `Fault`.
    """

    key: str
    message: str
    entry: object = None
    outside: bool = False
    nothing_read: bool = False
    unless: tuple[str, ...] = ()


class ConfigurationError(RunError):
    """The configuration cannot be used; the message has a line for each fault in `faults`.

    The exit code is 1 if empty inputs are the only faults, and 2 otherwise.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))
        if self.faults and all(fault.nothing_read for fault in self.faults):
            self.exit_code = NothingReadError.exit_code


def dotted(path: KeyPath) -> str:
    """Format a path of keys and list positions as text, such as `sources.shortcuts[1]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def validation_faults(
    error: ValidationError, name_of: Callable[[KeyPath], str] = dotted
) -> Iterator[Fault]:
    """Yield a fault for each error that pydantic found.

    `name_of` returns the name of a key, or of the environment variable that set the key.
    """
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
    """Return a short text for a value in a message, or None if the value may contain a secret."""
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
