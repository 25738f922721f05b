"""OpenAI's older shape: `functions` beside messages, `function_call` inside them.

A message has one call, and its result is a message of the role `function`.
"""

import re
from collections.abc import Iterator, Sequence

from benchloom.exchange.formats.base import Read, Reading
from benchloom.exchange.formats.messages import read_record
from benchloom.exchange.formats.records import read_records
from benchloom.storage.inputs import SourceObject

_MESSAGES = re.compile(rb'"messages"\s*:\s*\[')
_OLDER = re.compile(rb'"(?:function_call"\s*:\s*\{|functions"\s*:\s*(?:\[|"))')


def is_older_shape(head: bytes) -> bool:
    """Whether a file with this beginning uses functions, not tools."""
    return _OLDER.search(head) is not None


class _OpenAiFunctions(Reading):
    title = "OpenAI messages and functions, the shape before tools"

    def recognises(self, name: str, head: bytes) -> bool:
        return bool(_MESSAGES.search(head)) and is_older_shape(head)

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        return read_records(objects, "openai-functions", read_record)


FORMAT = _OpenAiFunctions()
