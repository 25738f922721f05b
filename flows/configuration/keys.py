"""List the configuration keys and the environment variables that set them."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from benchloom.core.kinds import nearest
from flows.configuration.model import REPLICA, Configuration

PREFIX = "BENCHLOOM_"
SHORT_NAMES = {
    "BENCHLOOM_CONTACT": ("crawl", "contact"),
    "BENCHLOOM_DELAY": ("crawl", "delay"),
    "BENCHLOOM_MODEL": ("generate", "model"),
    "REDDIT_CLIENT_ID": ("crawl", "reddit_client_id"),
    "REDDIT_USERNAME": ("crawl", "reddit_username"),
}
"""Short variables of keys; the long variable of a key overrides them."""
OTHER_VARIABLES = (REPLICA, "BENCHLOOM_LOG", "BENCHLOOM_RUN", "BENCHLOOM_SIGN_PASSWORD")
"""Variables with our prefix that set no key: the replica, the log of `generate`, the marker of a
run, the password of a signing key."""

KeyPath = tuple[str | int, ...]
"""A key as a tuple: the names of its tables, its name, and the position of a list entry."""


@dataclass(frozen=True)
class Key:
    """A key of the configuration; `path` consists of its table, if any, and its name."""

    path: tuple[str, ...]
    field: FieldInfo

    @property
    def name(self) -> str:
        """The name of the key, such as `generate.model`."""
        return ".".join(self.path)

    @property
    def variable(self) -> str:
        """The variable that sets the key, such as `BENCHLOOM_GENERATE__MODEL`."""
        return PREFIX + "__".join(self.path).upper()

    @property
    def description(self) -> str:
        """The description of the key in one line."""
        return self.field.description or ""


def all_keys(model: type[BaseModel] = Configuration, path: tuple[str, ...] = ()) -> list[Key]:
    """Return every key: first those outside tables, then table by table."""
    plain_keys, nested_keys = [], []
    for name, field in model.model_fields.items():
        if table := _table(field):
            nested_keys += all_keys(table, (*path, name))
        else:
            plain_keys.append(Key((*path, name), field))
    return plain_keys + nested_keys


def key_names(*path: str) -> list[str]:
    """Return the names of the keys in a table, or an empty list if the path is not a table."""
    model = _table_at(path)
    return list(model.model_fields) if model else []


def about_table(path: tuple[str, ...]) -> str:
    """Return the description of a table of keys.

    Returns an empty text for a path that is not a table.
    """
    model = _table_at(path)
    return (model.__doc__ if model else None) or ""


def _table_at(path: tuple[str, ...]) -> type[BaseModel] | None:
    model: type[BaseModel] | None = Configuration
    for name in path:
        field = model.model_fields.get(name) if model else None
        model = _table(field) if field else None
    return model


def _table(field: FieldInfo) -> type[BaseModel] | None:
    annotation = field.annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None


def convert_value(name: str, value: object) -> Any:
    """Convert a value to the type of a table's key, such as `crawl.sites`; return the result.

    Raises:
        ValueError: the value is not valid for the key.
    """
    table, _, key = name.rpartition(".")
    try:
        configuration = Configuration.model_validate(
            {table: {key: value}} if table else {key: value}
        )
    except ValidationError as error:
        raise ValueError(message_of(error.errors(include_url=False)[0]["msg"])) from None
    return value_at(configuration, (table, key))


def message_of(text: str) -> str:
    """Return a plain message for an error of pydantic."""
    return text.removeprefix("Value error, ").replace("Input should be", "must be")


def value_at(configuration: Configuration, path: tuple[str, ...]) -> object:
    """Return the effective value of a key."""
    value: object = configuration
    for part in path:
        value = getattr(value, part)
    return value


def variables() -> dict[KeyPath, tuple[str, object]]:
    """Return the environment variables that are set; the keys are those of the configuration.

    Lists are JSON or separated by commas, tables are JSON.
    """
    lists = {key.path for key in all_keys() if get_origin(key.field.annotation) is tuple}
    by_path: dict[KeyPath, tuple[str, object]] = {}
    for name, short_path in SHORT_NAMES.items():
        if text := os.environ.get(name):
            by_path[short_path] = (name, text)
    for name, text in os.environ.items():
        path = _path_of(name)
        if text and path and path[0] in Configuration.model_fields:
            is_table = path in lists or (len(path) == 1 and key_names(*path))
            by_path[path] = (name, _decode(text) if is_table else text)
    return by_path


def _path_of(name: str) -> tuple[str, ...]:
    upper = name.upper()
    if not upper.startswith(PREFIX):
        return ()
    return tuple(upper.removeprefix(PREFIX).lower().split("__"))


def _decode(text: str) -> object:
    """Decode the text of a list or table; return other text unchanged for validation."""
    text = text.strip()
    if not text.startswith(("[", "{")):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def unknown_variables() -> Iterator[str]:
    """Yield a line for each variable with our prefix that sets no key."""
    variables = {key.variable for key in all_keys()} | {*SHORT_NAMES, *OTHER_VARIABLES}
    for name in sorted(os.environ):
        path = _path_of(name)
        # Unknown keys of a table are found when its values are checked.
        if path and path[0] not in Configuration.model_fields and name.upper() not in variables:
            names = [entry for entry in sorted(variables) if entry.startswith(PREFIX)]
            yield f"{name}: this variable sets no key; {nearest(name, names)}"
