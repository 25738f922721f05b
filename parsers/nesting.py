"""How deep and how large a JSON text is, told by its brackets and commas before it is decoded.

A decoder's own bound is the interpreter's recursion limit: it differs between versions, and with
the depth of the call. This one does not.
"""

import re
from itertools import accumulate

from parsers.errors import ParseError

MAX_DEPTH = 400
"""Far below what every supported interpreter decodes, far above what people nest."""
MAX_VALUES = 500_000
# A text that is never closed reaches to the end, so every quote is looked at once.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(code for code in range(256) if code not in b"[]{}")
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def check_json(text: bytes, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> None:
    """Refuse a JSON text that nests deeper, or holds more values, than may be decoded.

    Raises:
        ParseError: too_deep or too_many_nodes.
    """
    opened = text.count(b"[") + text.count(b"{")
    if opened <= max_depth and opened + text.count(b",") <= max_values:
        return  # also with everything a text might quote
    bare = _TEXT.sub(b"", text)
    if bare.count(b"[") + bare.count(b"{") + bare.count(b",") > max_values:
        raise ParseError("too_many_nodes", f"JSON: more than {max_values} values")
    brackets = bare.translate(None, _NO_BRACKETS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > max_depth:
        raise ParseError("too_deep", f"JSON nests deeper than {max_depth}")
