"""How deep and how large a JSON text is, told by its brackets and commas before it is decoded.

A decoder's own bound is the interpreter's recursion limit: it differs between versions, and with
the depth of the call. This one does not.
"""

from parsers.errors import ParseError

MAX_DEPTH = 400
"""Far below what every supported interpreter decodes, far above what people nest."""
MAX_VALUES = 500_000
_NO_STRUCTURE = bytes(code for code in range(256) if code not in b'[]{}"')
_ONE_KIND = bytes.maketrans(b"{}", b"[]")


def check_json(text: bytes, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> None:
    """Refuse a JSON text that nests deeper, or holds more values, than may be decoded.

    Raises:
        ParseError: too_deep or too_many_nodes.
    """
    opened = text.count(b"[") + text.count(b"{")  # with those that a text quotes
    if opened + text.count(b",") > max_values:
        bare = _outside(_without_escapes(text))
        if bare.count(b"[") + bare.count(b"{") + bare.count(b",") > max_values:
            raise ParseError("too_many_nodes", f"JSON: more than {max_values} values")
    if opened > max_depth and may_nest_deeper(text, max_depth):
        raise ParseError("too_deep", f"JSON nests deeper than {max_depth}")


def may_nest_deeper(text: bytes, max_depth: int) -> bool:
    """Whether a JSON text nests deeper than `max_depth`, or its brackets do not pair up."""
    left = _without_escapes(text).translate(_ONE_KIND, _NO_STRUCTURE)
    # Most texts hold no bracket, so that their quotes now stand side by side. Where the first
    # quote of a run is the first of a text, pairs are texts; any quote left over breaks that.
    bare = left.replace(b'""', b"")
    return _peel(_outside(left) if b'"' in bare else bare, max_depth)


def _peel(brackets: bytes, max_depth: int) -> bool:
    """Whether more than `max_depth` levels, or an opening bracket without its end, are left."""
    levels = 0
    while b"[]" in brackets and levels <= max_depth:
        brackets = brackets.replace(b"[]", b"")  # the innermost pairs
        levels += 1
    return levels + brackets.count(b"[") > max_depth


def _without_escapes(text: bytes) -> bytes:
    """A JSON text in which every quote begins or ends a text.

    A backslash outside of texts is no JSON, and nothing after it counts.
    """
    if b"\\" not in text:
        return text
    return text.replace(b"\\\\", b"").replace(b'\\"', b"")


def _outside(text: bytes) -> bytes:
    """What stands outside of quotes."""
    return b"".join(text.split(b'"')[::2])
