"""Every key with its description, default, effective value and where that comes from."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from benchloom.core.kinds import nearest
from flows.configuration.crawl_settings import REPLICA
from flows.configuration.model import (
    PREFIX,
    SHORT_NAMES,
    Configuration,
    ConfigurationFile,
    Environment,
    ShortNames,
    variable_of,
)

OTHER_VARIABLES = (REPLICA, "BENCHLOOM_LOG", "BENCHLOOM_RUN", "BENCHLOOM_SIGN_PASSWORD")
"""Variables with our prefix that are no key: the replica, the log of `generate`, a run's mark, the
password of a key that signs."""


@dataclass(frozen=True)
class Key:
    """One key of the configuration; `path` is its table, if any, and its name."""

    path: tuple[str, ...]
    field: FieldInfo

    @property
    def name(self) -> str:
        """The key as people say it: `generate.model`."""
        return ".".join(self.path)

    @property
    def description(self) -> str:
        """One line."""
        return self.field.description or ""


def all_keys(model: type[BaseModel] = ConfigurationFile, path: tuple[str, ...] = ()) -> list[Key]:
    """Every key, those of no table first, in the order of the model."""
    own, nested = [], []
    for name, field in model.model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            nested += all_keys(table, (*path, name))
        else:
            own.append(Key((*path, name), field))
    return own + nested


def value_of(configuration: Configuration, key: Key) -> object:
    """The effective value of a key."""
    value: object = configuration
    for part in key.path:
        value = getattr(value, part)
    return value


class Origins:
    """Where values come from: `default`, `file`, `environment (VARIABLE)`."""

    def __init__(self, file: Mapping[str, Any]) -> None:
        self._file = file
        self._long = Environment(Configuration)()
        self._short = ShortNames(Configuration)()

    def of(self, key: Key) -> str:
        """The origin of one key."""
        if _holds(self._long, key.path) or _holds(self._short, key.path):
            return f"environment ({variable_of(key.path)})"
        return "file" if _holds(self._file, key.path) else "default"


def _holds(values: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    value: object = values
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            return False
        value = value[part]
    return True


def unknown_variables() -> Iterator[str]:
    """A line per variable with our prefix that nothing reads."""
    variables = {PREFIX + "__".join(key.path).upper() for key in all_keys()}
    variables |= {PREFIX + name.upper() for name in ConfigurationFile.model_fields}
    variables |= {name for name in SHORT_NAMES if name.startswith(PREFIX)} | set(OTHER_VARIABLES)
    for variable in sorted(os.environ):
        if variable.upper().startswith(PREFIX) and variable.upper() not in variables:
            yield f"{variable}: nothing reads this variable; {nearest(variable, variables)}"
