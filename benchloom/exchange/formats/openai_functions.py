"""OpenAI's older format, with `functions` beside messages and `function_call` inside messages.

A message contains one call; the call's result is a message with the role `function`.
"""

import re

from benchloom.exchange.formats.messages import MessageReading

_MESSAGES = re.compile(rb'"messages"\s*:\s*\[')
_OLDER = re.compile(rb'"(?:function_call"\s*:\s*\{|functions"\s*:\s*(?:\[|"))')


def is_older_shape(head: bytes) -> bool:
    """Whether the first bytes of a file contain the older key `functions` or `function_call`."""
    return _OLDER.search(head) is not None


class _OpenAiFunctions(MessageReading):
    title = "OpenAI messages and functions, the form before tools"
    source = "openai-functions"

    def recognises(self, name: str, head: bytes) -> bool:
        return bool(_MESSAGES.search(head)) and is_older_shape(head)


FORMAT = _OpenAiFunctions()
