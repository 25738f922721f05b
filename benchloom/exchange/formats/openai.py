"""The format of OpenAI's messages and tools, with the arguments of calls as JSON in a text.

The modules `benchloom.exchange.examples.call_messages` and `.conversation` explain how calls,
references and results are written.
"""

import msgspec

from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.formats.base import LineFormat
from benchloom.exchange.formats.messages import LOSSES, MessageReading, arguments_text, record_of
from benchloom.exchange.formats.openai_functions import is_older_shape

_ENCODER = msgspec.json.Encoder()


class _OpenAi(LineFormat, MessageReading):
    title = "OpenAI messages and tools, with arguments as text"
    source = "openai"
    losses = LOSSES

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        record, losses = record_of(example, arguments_text, named_results=False)
        return _ENCODER.encode(record), losses

    def recognises(self, name: str, head: bytes) -> bool:
        plain = head.replace(b" ", b"")
        is_text = b'"messages":[' in plain and b'"arguments":"' in plain
        return is_text and not is_older_shape(head)


FORMAT = _OpenAi()
