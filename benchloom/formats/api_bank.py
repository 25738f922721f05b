"""API-Bank, level 3: the APIs of a plan with their inputs.

`requirement` and `response` stay empty: they are texts, which the generation stage writes.
References are written as the value they carried, because the format has none.
"""

import msgspec

from benchloom.examples import Call as ExampleCall
from benchloom.examples import Example
from benchloom.formats.appbench import supplied
from benchloom.formats.base import LineFormat, Loss

_ENCODER = msgspec.json.Encoder()


class Result(msgspec.Struct, frozen=True):
    """What API-Bank records of a call; `exception` tells a failed one."""

    api_name: str
    input: dict[str, str]
    output: None
    exception: str | None


class Call(msgspec.Struct, frozen=True):
    """One call."""

    api_name: str
    input: dict[str, str]
    output: Result


class Record(msgspec.Struct, frozen=True):
    """One line of the export; `sample_id` is the dialogue."""

    sample_id: str
    requirement: str
    response: str
    apis: list[Call]


def record_of(example: Example) -> Record:
    """An example as a record."""
    calls = [_call(call) for call in example.calls]
    return Record(example.source_id, example.request or "", "", calls)


def _call(call: ExampleCall) -> Call:
    name = f"{call.app}.{call.api}"
    given = {argument.name: supplied(argument) for argument in call.arguments}
    failed = "no result" if call.outcome in {"failed", "retried"} else None
    return Call(name, given, Result(name, given, None, failed))


class ApiBank(LineFormat):
    """API-Bank's level 3."""

    title = "API-Bank, level 3"
    tables = frozenset({"planning_paths"})

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """One example as a line."""
        return _ENCODER.encode(record_of(example)), ()


FORMAT = ApiBank()
