"""Outlines: the calls of an example in order, each with its arguments."""

import msgspec

from benchloom.core.records.values import rendered
from benchloom.exchange.examples import Example
from benchloom.exchange.formats import LineFormat, Loss

_ENCODER = msgspec.json.Encoder()


class Outline(LineFormat):
    """A format that contains only the calls."""

    title = "Outlines of calls"

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """Return an example as one line."""
        definition_ids = {definition.definition_id for definition in example.definitions}
        calls = [
            {
                "call": f"{call.app}.{call.api}",
                "known": call.definition_id in definition_ids,
                "given": [
                    [argument.name, rendered(argument.value, lambda ref: ref.output or "")]
                    for argument in call.arguments
                ],
            }
            for call in example.calls
        ]
        return _ENCODER.encode({"outline": example.example_id, "calls": calls}), ()


FORMAT = Outline()
