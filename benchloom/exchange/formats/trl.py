"""The format of TRL's conversations in Parquet, with the arguments of calls as objects.

Messages and tools are lists of JSON (`List(Json())` of `datasets`). No other type can store an
argument that is a text in one row and a list in another, or distinguish a missing key from null.
"""

from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.formats.base import ExampleWriter, Writing, WritingOptions
from benchloom.exchange.formats.messages import LOSSES, MessageReading, record_of
from benchloom.exchange.formats.parquet import ParquetWriter

_ENCODER = msgspec.json.Encoder()
_LIST = {"feature": {"_type": "Json"}, "_type": "List"}
_FEATURES = {
    "info": {
        "features": {
            "id": {"dtype": "string", "_type": "Value"},
            "messages": _LIST,
            "tools": _LIST,
        }
    }
}
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("messages", pa.list_(pa.json_())),
        ("tools", pa.list_(pa.json_())),
    ],
    {"huggingface": _ENCODER.encode(_FEATURES)},
)


class _Trl(Writing, MessageReading):
    title = "TRL messages and tools, with arguments as objects"
    source = "trl"
    losses = LOSSES

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return ParquetWriter(folder, SCHEMA, row_of)

    def recognises(self, name: str, head: bytes) -> bool:
        plain = head.replace(b" ", b"")
        is_text = b'"messages":[' in plain and b'"arguments":{' in plain
        return is_text or (head.startswith(b"PAR1") and name.endswith(".parquet"))


def row_of(example: Example) -> tuple[dict[str, object], tuple[Loss, ...]]:
    """Convert an example to a Parquet row; also return the data that the row lacks."""
    record, losses = record_of(example, lambda call: call.arguments, named_results=True)
    row: dict[str, object] = {
        "id": record.id,
        "messages": [_ENCODER.encode(message).decode() for message in record.messages],
        "tools": [_ENCODER.encode(tool).decode() for tool in record.tools],
    }
    return row, losses


FORMAT = _Trl()
