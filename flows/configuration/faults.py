"""Faults of a configuration: one line each, naming the place and what to write instead."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from benchloom.core.errors import RunError
from benchloom.core.kinds import nearest
from flows.configuration.model import ConfigurationFile, variable_of
from flows.configuration.secrets import BLOCKS, block_name
from scrapers.mirrors.address import LOGIN, holds_secret

ENVIRONMENT = "environment"
_LOOKS_SECRET = re.compile(r"secret|passw|token|api_?key|access_?key|credential|bearer")
_LONGEST_VALUE = 60
_LONGEST_LINE = 400
_LEAST_SECRET = 12
"""Letters below which a text is nobody's key: it is shown as it is."""

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """One fault; its text is `source:line: told`.

    `key` is the path of the key (entries of lists by number), `value` what stands there as TOML
    has it, None where there is none or where it may be a secret. `outside` says that the file is
    right and the machine or its environment lacks something.
    """

    told: str
    key: Place = ()
    value: str | None = None
    source: str = ENVIRONMENT
    line: int | None = None
    outside: bool = False

    def __str__(self) -> str:
        location = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{location}: {self.told}"

    @property
    def dotted(self) -> str:
        """The key as people say it: `sources.shortcuts[1]`."""
        return dotted(self.key)


class ConfigurationError(RunError):
    """A configuration that cannot be used; `faults` holds each, and the text a line for each."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def faults_in_file(error: ValidationError) -> list[Fault]:
    """The faults of a file, each with its table and key."""
    return [_fault(dotted(entry["loc"]), entry) for entry in error.errors(include_url=False)]


def faults_in_environment(error: ValidationError) -> list[Fault]:
    """The faults of the environment, each with its variable."""
    faults = []
    for entry in error.errors(include_url=False):
        path = tuple(part for part in entry["loc"] if isinstance(part, str))
        faults.append(_fault(variable_of(path), entry, in_file=False))
    return faults


def _fault(where: str, entry: ErrorDetails, *, in_file: bool = True) -> Fault:
    if entry["type"] == "extra_forbidden":
        *table, key = [str(part) for part in entry["loc"]]
        table_prefix = f"[{'.'.join(table)}] " if table else ""
        problem = f"{table_prefix}unknown key '{_cut(key)}'" if in_file else f"{where}: unknown key"
        return Fault(f"{problem}; {nearest(key, _keys(table))}", entry["loc"])
    message = entry["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    value = shown(entry["input"])
    if value is not None and entry["type"] != "value_error":
        message = f"{message}, not {value}"
    return Fault(f"{where}: {_cut(message, _LONGEST_LINE)}", entry["loc"], value)


def shown(value: object) -> str | None:
    """A value as a fault may repeat it: short, and None where it may hold a secret."""
    if isinstance(value, Mapping):
        return str(value["date"]) if set(value) == {"date"} else "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if not isinstance(value, str):
        return _cut(json.dumps(value, default=str).replace("Infinity", "inf").replace("NaN", "nan"))
    if len(value) >= _LEAST_SECRET:
        # Only where something is wrong anyway: it takes half a second to know all finders.
        from benchloom.normalise.redaction import redact_text

        if LOGIN.match(value) or holds_secret(value) or redact_text(value).text != value:
            return None
    return json.dumps(_cut(value), ensure_ascii=False)


def _cut(text: str, longest: int = _LONGEST_VALUE) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def dotted(path: Iterable[int | str]) -> str:
    """A path of keys and numbers as people write it."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")


def _keys(path: Sequence[str]) -> list[str]:
    model: type[BaseModel] = ConfigurationFile
    for part in path:
        annotation = model.model_fields[part].annotation
        if not isinstance(annotation, type) or not issubclass(annotation, BaseModel):
            return []
        model = annotation
    return list(model.model_fields)


def misplaced_secrets(values: Mapping[str, object], path: tuple[str, ...] = ()) -> list[Fault]:
    """Keys and addresses that hold a secret, which is never repeated."""
    return list(_misplaced(values, path))


def _misplaced(values: Mapping[str, object], path: tuple[str, ...]) -> Iterator[Fault]:
    key_names = _keys(path) if len(path) < 2 and (not path or path[0] in _keys(())) else []
    for key, value in values.items():
        where = (*path, key)
        if isinstance(value, Mapping):
            yield from _misplaced(value, where)
        elif key not in key_names and _is_secret(key, key_names):
            message = "is a secret and does not belong in a file"
            yield Fault(f"{'.'.join(where)} {message}: {_belongs(key)}", where)
        else:
            several = isinstance(value, list | tuple)
            texts = value if isinstance(value, list | tuple) else [value]
            for number, text in enumerate(texts):
                if isinstance(text, str) and (what := _secret_part(text, where)):
                    location: Place = (*where, number) if several else where
                    message = f"{dotted(location)}: an address with a {what}; {_belongs('')}"
                    yield Fault(message, location)


def _secret_part(text: str, where: Sequence[str]) -> str | None:
    """What of an address may be secret, None for nothing."""
    if LOGIN.match(text):
        return "password"
    return "secret in it" if where[0] == "sources" and holds_secret(text) else None


def _is_secret(key: str, key_names: Sequence[str]) -> bool:
    """Whether a key of ours is no other one misspelt, and is called like a secret."""
    return bool(_LOOKS_SECRET.search(key.lower())) and not get_close_matches(key, key_names, 1, 0.9)


def _belongs(key: str) -> str:
    """Where a secret belongs; `key` as somebody wrote it into a file."""
    name = next((variable for variable in BLOCKS if variable.endswith(key.upper()) and key), None)
    if name is None:
        return f"secrets come from the environment ({', '.join(BLOCKS)}) or Prefect Secret blocks"
    return f"set {name} in the environment, or store the Prefect Secret block '{block_name(name)}'"
