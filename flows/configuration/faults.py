"""Faults of a configuration: one line each, naming the place and what to write instead."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from benchloom.errors import RunError
from benchloom.kinds import nearest
from flows.configuration.model import ConfigurationFile, variable_of
from flows.configuration.secrets import BLOCKS, block_name

_LOOKS_SECRET = re.compile(r"secret|passw|token|api_?key|access_?key|credential|bearer")
_LOGIN_IN_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s@]*:[^/\s@]+@", re.IGNORECASE)


class ConfigurationError(RunError):
    """A configuration that cannot be used; `faults` holds one line each, and so does the text."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


def faults_in_file(error: ValidationError) -> list[str]:
    """The faults of a file, each with its table and key."""
    return [_line(_dotted(entry["loc"]), entry) for entry in error.errors(include_url=False)]


def faults_in_environment(error: ValidationError) -> list[str]:
    """The faults of the environment, each with its variable."""
    lines = []
    for entry in error.errors(include_url=False):
        path = tuple(part for part in entry["loc"] if isinstance(part, str))
        lines.append(_line(variable_of(path), entry, in_file=False))
    return lines


def _line(where: str, entry: ErrorDetails, *, in_file: bool = True) -> str:
    if entry["type"] == "extra_forbidden":
        *table, key = [str(part) for part in entry["loc"]]
        place = f"[{'.'.join(table)}] " if table else ""
        told = f"{place}unknown key '{key}'" if in_file else f"{where}: unknown key"
        return f"{told}; {nearest(key, _keys(table))}"
    message = entry["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{where}: {message}"


def _dotted(path: Iterable[int | str]) -> str:
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


def misplaced_secrets(
    values: Mapping[str, object], path: tuple[str, ...] = ()
) -> list[tuple[tuple[str, ...], str]]:
    """Place and line of keys and addresses that hold a secret, which is never repeated."""
    return list(_misplaced(values, path))


def _misplaced(
    values: Mapping[str, object], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    known = _keys(path) if len(path) < 2 and (not path or path[0] in _keys(())) else []
    for key, value in values.items():
        where = (*path, key)
        if isinstance(value, Mapping):
            yield from _misplaced(value, where)
        elif key not in known and _LOOKS_SECRET.search(key.lower()):
            told = "is a secret and does not belong in a file"
            yield where, f"{'.'.join(where)} {told}: {_belongs(key)}"
        else:
            texts = value if isinstance(value, list | tuple) else [value]
            if any(isinstance(text, str) and _LOGIN_IN_ADDRESS.match(text) for text in texts):
                yield where, f"{'.'.join(where)}: an address with a password; {_belongs('')}"


def _belongs(key: str) -> str:
    """Where a secret belongs; `key` as somebody wrote it into a file."""
    name = next((known for known in BLOCKS if known.endswith(key.upper()) and key), None)
    if name is None:
        return f"secrets come from the environment ({', '.join(BLOCKS)}) or Prefect Secret blocks"
    return f"set {name} in the environment, or store the Prefect Secret block '{block_name(name)}'"
