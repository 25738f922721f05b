"""What a world of services starts with, as JSON: methods, rows, known answers."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec

from benchloom.core.errors import RunError

Name: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,99}$")]
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
Values: TypeAlias = Mapping[Text, Text]
"""A row or the arguments of a call: SGD's values are texts."""
LONGEST_START = 16 * 1024 * 1024
"""Characters; a dialogue's own rows and those beside them take some 50,000."""


class Argument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A parameter of a method.

    `values` are the only ones it takes, where there are any. `default` is what a transaction takes
    where none is given. A time may differ by `minutes` from the row that is found.
    """

    name: Text
    required: bool
    about: Text = ""
    values: tuple[Text, ...] = ()
    default: Text | None = None
    minutes: Annotated[int, msgspec.Meta(ge=0, le=1440)] = 0


class Method(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A method of a service: a query of its rows, or a transaction (`takes_effect`)."""

    service: Name
    name: Name
    takes_effect: bool
    about: Text = ""
    arguments: tuple[Argument, ...] = ()
    returns: tuple[Text, ...] = ()


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row that a query can find; rows stand in the order of their rank."""

    service: Name
    method: Name
    values: Values


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a service answers to just these arguments: one receipt, or what it offers instead."""

    service: Name
    method: Name
    arguments: Values
    rows: tuple[Values, ...] = ()


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A start: no two methods of a service have one name, no two rows of a method are the same."""

    methods: tuple[Method, ...]
    rows: tuple[Row, ...]
    unavailable: tuple[Answer, ...] = ()
    receipts: tuple[Answer, ...] = ()


_DECODER = msgspec.json.Decoder(Start)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def read_start(text: str) -> Start:
    """The start that a JSON text says.

    Raises:
        RunError: it says none.
    """
    if len(text) > LONGEST_START:
        raise RunError(f"a start of {len(text)} characters, the most are {LONGEST_START}")
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise RunError(f"no start of a world of services: {error}") from error


def written(start: Start) -> str:
    """A start as JSON; equal starts are equal texts."""
    return _ENCODER.encode(start).decode()


def canonical(values: Values) -> str:
    """Values as JSON, names sorted: equal values are equal texts."""
    return _ENCODER.encode(values).decode()
