"""This module lists the configuration keys and the environment variables that set them."""

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
"""A mapping from short environment variables to keys; a key's long variable takes precedence."""
OTHER_VARIABLES = (REPLICA, "BENCHLOOM_LOG", "BENCHLOOM_RUN", "BENCHLOOM_SIGN_PASSWORD")
"""Variables that begin with `BENCHLOOM_` but set no key, such as the password of a signing key."""

KeyPath = tuple[str | int, ...]
"""A key as a tuple of the names of its tables, its name, and the position of an entry in a list."""


@dataclass(frozen=True)
class Key:
    """A key of the configuration; `path` has the names of its tables and its own name."""

    path: tuple[str, ...]
    field: FieldInfo

    @property
    def name(self) -> str:
        """The full name of the key, such as `generate.model`."""
        return ".".join(self.path)

    @property
    def variable(self) -> str:
        """The environment variable that sets the key, such as `BENCHLOOM_GENERATE__MODEL`."""
        return PREFIX + "__".join(self.path).upper()

    @property
    def description(self) -> str:
        """The description of the key in one line, for people."""
        return self.field.description or ""


def all_keys(model: type[BaseModel] = Configuration, path: tuple[str, ...] = ()) -> list[Key]:
    """Return every key of a table (by default of the whole file), keys of inner tables last."""
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
    """Return the description of the table at a path, or "" if there is no table."""
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
    """Validate a value for a key, such as `crawl.sites`, and convert the value to the key's type.

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
    """Return the text of a pydantic error in the words of our messages."""
    return text.removeprefix("Value error, ").replace("Input should be", "must be")


def value_at(configuration: Configuration, path: tuple[str, ...]) -> object:
    """Return the effective value of the key with this path."""
    value: object = configuration
    for part in path:
        value = getattr(value, part)
    return value


def variables() -> dict[KeyPath, tuple[str, object]]:
    """Return a mapping from keys to the environment variable that sets the key and its value.

    The value of a list is JSON, or its entries separated by commas; the value of a table is JSON.
    """
    lists = {key.path for key in all_keys() if get_origin(key.field.annotation) is tuple}
    by_path: dict[KeyPath, tuple[str, object]] = {}
    # Short variables come first, so that the long variable of a key overrides them.
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
    """Decode the text of a list or table; keep invalid JSON, which validation then reports."""
    text = text.strip()
    if not text.startswith(("[", "{")):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def unknown_variables() -> Iterator[str]:
    """Yield a message for each environment variable `BENCHLOOM_...` that sets no key."""
    variables = {key.variable for key in all_keys()} | {*SHORT_NAMES, *OTHER_VARIABLES}
    for name in sorted(os.environ):
        path = _path_of(name)
        # Unknown keys of a table are found when its values are checked.
        if path and path[0] not in Configuration.model_fields and name.upper() not in variables:
            names = [entry for entry in sorted(variables) if entry.startswith(PREFIX)]
            yield f"{name}: this variable sets no key; {nearest(name, names)}"
