"""Outlines: the calls of an example in order, each with what it is given."""

import msgspec

from benchloom.core.records.values import rendered
from benchloom.exchange.examples import Example
from benchloom.exchange.formats import LineFormat, Loss

_ENCODER = msgspec.json.Encoder()


class Outline(LineFormat):
    """The calls alone."""

    title = "Outlines of calls"

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """One example as a line."""
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
