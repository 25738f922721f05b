"""The initial state of a world of services, and its form as JSON.

The initial state consists of methods, rows that queries can return, and recorded answers.
"""

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

    `about` is its description. `values` are the allowed values; without values, all are allowed.
    `default` is the value of an omitted argument of a transaction. A time in a query matches rows
    whose time differs by at most `minutes`.
    """

    name: Text
    required: bool
    about: Text = ""
    values: tuple[Text, ...] = ()
    default: Text | None = None
    minutes: Annotated[int, msgspec.Meta(ge=0, le=1440)] = 0


class Method(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A method of a service, which is a transaction if `takes_effect`, and otherwise a query.

    `about` is its description; `returns` are the names of the fields in its result.
    """

    service: Name
    name: Name
    takes_effect: bool
    about: Text = ""
    arguments: tuple[Argument, ...] = ()
    returns: tuple[Text, ...] = ()


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row that the query `method` can return."""

    service: Name
    method: Name
    values: Values


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The recorded answer of a service to a call with these arguments.

    `rows` is the receipt of a transaction, or the rows that the service offers instead if it cannot
    fulfil the call.
    """

    service: Name
    method: Name
    arguments: Values
    rows: tuple[Values, ...] = ()


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in lower case (`words`) that means a value of a service's argument."""

    service: Name
    argument: Text
    words: Text
    value: Text


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An initial state of a world of services.

    Args:
        methods: the methods of all services; the methods of a service have distinct names.
        rows: the rows in the order in which queries return them; the rows of a method differ.
        unavailable: the answers to calls that a service cannot fulfil.
        receipts: the answers to transactions that a service fulfilled.
        wordings: the texts that mean a value of an argument.
    """

    methods: tuple[Method, ...]
    rows: tuple[Row, ...]
    unavailable: tuple[Answer, ...] = ()
    receipts: tuple[Answer, ...] = ()
    wordings: tuple[Wording, ...] = ()


_DECODER = msgspec.json.Decoder(Start)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def read_start(text: str) -> Start:
    """Decode the JSON of an initial state; raise `RunError` if the state is invalid."""
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
