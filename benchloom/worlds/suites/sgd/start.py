"""The initial state of a world of services, as JSON: methods, rows and recorded answers."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec

from benchloom.worlds.suite import decode_start

Name: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,99}$")]
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_000)]
Values: TypeAlias = Mapping[Text, Text]
"""A row, or the arguments of a call; all values of SGD are strings."""


class Argument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A parameter of a method.

    `values` are the allowed values, or empty. `default` is the value of an omitted argument of a
    transaction. A time matches rows whose time differs by at most `minutes`.
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
    """A row that a query can find; rows are ordered by rank."""

    service: Name
    method: Name
    values: Values


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The recorded answer of a service to these arguments: a receipt, or an alternative."""

    service: Name
    method: Name
    arguments: Values
    rows: tuple[Values, ...] = ()


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words in lower case that mean a value of a service's argument."""

    service: Name
    argument: Text
    words: Text
    value: Text


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An initial state; the method names of a service are distinct, and so are a method's rows."""

    methods: tuple[Method, ...]
    rows: tuple[Row, ...]
    unavailable: tuple[Answer, ...] = ()
    receipts: tuple[Answer, ...] = ()
    wordings: tuple[Wording, ...] = ()


_DECODER = msgspec.json.Decoder(Start)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def read_start(text: str) -> Start:
    """Decode an initial state; raise `RunError` if it is invalid."""
    return decode_start(text, _DECODER, "a world of services")


def written(start: Start) -> str:
    """Encode an initial state as JSON; equal states give equal texts."""
    return _ENCODER.encode(start).decode()


def completed(method: Method, arguments: Values) -> dict[str, str]:
    """Return the arguments of a call, with defaults for omitted arguments."""
    defaults = {
        argument.name: argument.default
        for argument in method.arguments
        if argument.default is not None
    }
    return {**defaults, **arguments}


def canonical(values: Values) -> str:
    """Encode values as JSON with sorted names; equal values give equal texts."""
    return _ENCODER.encode(values).decode()
