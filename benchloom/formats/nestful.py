"""NESTFUL v1: calls labelled var1, var2, ... with references `$var1.field$`, and `var_result`."""

import msgspec

from benchloom.examples import Example, Ref
from benchloom.formats.base import LineFormat, Loss
from benchloom.records.values import Plain, refs_in, rendered

_ENCODER = msgspec.json.Encoder()


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call; the closing `var_result` has no label."""

    name: str
    arguments: dict[str, Plain]
    label: str | None = None


class Record(msgspec.Struct, frozen=True):
    """One line of the export."""

    sample_id: str
    input: str
    output: list[Call]


def record_of(example: Example) -> Record:
    """An example as a record; where no answer is told, what no later call takes is the result."""
    calls = [
        Call(
            f"{call.app}.{call.api}",
            {one.name: rendered(one.value, _reference) for one in call.arguments},
            f"var{index + 1}",
        )
        for index, call in enumerate(example.calls)
    ]
    taken = {
        ref.step for call in example.calls for one in call.arguments for ref in refs_in(one.value)
    }
    results: dict[str, Plain] = {
        f"var{index + 1}": f"$var{index + 1}$"
        for index, call in enumerate(example.calls)
        if index not in taken and call.outcome == "ok"
    }
    calls.append(Call("var_result", results))
    return Record(example.source_id, example.request or "", calls)


def _reference(ref: Ref) -> str:
    output = f".{ref.output}" if ref.output is not None else ""
    return f"$var{ref.step + 1}{output}$"


class Nestful(LineFormat):
    """NESTFUL v1; its specification is a file of its own."""

    title = "NESTFUL v1"

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """One example as a line."""
        return _ENCODER.encode(record_of(example)), ()


FORMAT = Nestful()
